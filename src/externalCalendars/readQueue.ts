// At most a few connections at once of one server, of one organization, and of all: reads, or those that write through them. Those
// that somebody asks for come before those that are due, the oldest first.
import type { Uuid } from '../shapes/ids.ts'
import { type FairQueue, openFairQueue } from '../stores/fairQueue.ts'

type Candidate = {
  id: Uuid
  orgId: Uuid
  /** The server that is asked: an origin, or a provider as a whole. */
  host: string
  maxAtHost: number
  isAsked: boolean
  dueAt: Date
}

type Limits = { total: number; perOrganization: number }

/** Beyond that the sweeper finds them again. */
const maxWaiting = 5_000

export const openReadQueue = ({ total, perOrganization }: Limits): FairQueue<Candidate> =>
  openFairQueue<Candidate>({
    mayBegin: ({ id, host, maxAtHost, orgId }, working) =>
      working.length < total &&
      working.every((one) => one.id !== id) &&
      working.filter((one) => one.host === host).length < maxAtHost &&
      working.filter((one) => one.orgId === orgId).length < perOrganization,
    mayWait: (_, waiting) => waiting.length < maxWaiting,
    order: (a, b) => Number(b.isAsked) - Number(a.isAsked) || a.dueAt.getTime() - b.dueAt.getTime(),
  })
