// What is wrong, by kind: `lost` was committed or due and nobody was told, `twice` was told under two delivery ids, `half` is
// a change of which only a part happened, `promise` is another promise that was not kept.

export type FindingKind = 'lost' | 'twice' | 'half' | 'promise'
export type Finding = { kind: FindingKind; text: string }

export type Findings = { all: Finding[]; add(kind: FindingKind, text: string): void }

export function openFindings(): Findings {
  const all: Finding[] = []
  return { all, add: (kind, text) => all.push({ kind, text }) }
}
