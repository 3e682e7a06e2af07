// What is wrong, by kind: `lost` was committed or due and nobody was told, `twice` was told under two delivery ids, `half` is
// a change of which only a part happened, `foreign` reached or was written into another organization than it belongs to,
// `promise` is another promise that was not kept.

/** The worst first. */
const kinds = ['foreign', 'lost', 'twice', 'half', 'promise'] as const
export type FindingKind = (typeof kinds)[number]
export type Finding = { kind: FindingKind; text: string }

export type Findings = { all: Finding[]; add(kind: FindingKind, text: string): void }

export function openFindings(): Findings {
  const all: Finding[] = []
  return { all, add: (kind, text) => all.push({ kind, text }) }
}

export const worstFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
