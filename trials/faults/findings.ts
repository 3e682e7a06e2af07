// The findings, by kind. `lost`: committed or due, but never delivered. `twice`: delivered under two ids. `half`: only
// a part of a change happened. `foreign`: reached, or was written into, an organization that it does not belong to.
// `promise`: another promise was broken.

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
