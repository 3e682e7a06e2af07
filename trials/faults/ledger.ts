// What the API acknowledged: those changes are committed and may not be lost. What it did not answer, or answered with
// 5xx, may have happened or not; either is right, half of it is not.

export type Change = 'create' | 'confirm' | 'release' | 'update' | 'delete'

export type Ledger = {
  /** Of each event, what was acknowledged. */
  acknowledged: Map<string, Change[]>
  /** Of each event, when its last change was acknowledged: by then it was committed. */
  acknowledgedAt: Map<string, number>
  unknown: number
  refused: number
  /** Notes an answer; true when the change is committed. */
  note(eventId: string | undefined, change: Change, status: number): boolean
}

export function openLedger(): Ledger {
  const ledger: Ledger = {
    acknowledged: new Map(),
    acknowledgedAt: new Map(),
    unknown: 0,
    refused: 0,
    note(eventId, change, status) {
      if (status === 0 || status >= 500) ledger.unknown++
      else if (status >= 400) ledger.refused++
      else {
        ledger.acknowledgedAt.set(eventId!, Date.now())
        const changes = ledger.acknowledged.get(eventId!)
        if (changes) changes.push(change)
        else ledger.acknowledged.set(eventId!, [change])
        return true
      }
      return false
    },
  }
  return ledger
}
