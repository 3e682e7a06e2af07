// At most a few at once of one server, of one organization, and of all: reads of connections, or those that write through them. One
// without a place waits here, and its job ends; one that is done takes the next one along: those that somebody asks for before
// those that are due, the oldest first.
import type { Uuid } from '../shapes/ids.ts'

type Candidate = {
  id: Uuid
  orgId: Uuid
  /** The server that is asked: an origin, or a provider as a whole. */
  host: string
  maxAtHost: number
  isAsked: boolean
  dueAt: Date
  /** False if nothing more may begin. */
  work: () => Promise<boolean>
}

type Limits = { total: number; perOrganization: number }

type Places = {
  /** Resolves when what it began is done; at once if it waits. */
  stand(candidate: Candidate): Promise<void>
}

const maxWaiting = 5_000

export function openPlaces(limits: Limits): Places {
  const working: Candidate[] = []
  const waiting = new Map<Uuid, Candidate>()
  const count = (matches: (one: Candidate) => boolean) => working.filter(matches).length
  const mayBegin = ({ host, maxAtHost, orgId, id }: Candidate) =>
    working.length < limits.total &&
    !working.some((one) => one.id === id) &&
    count((one) => one.host === host) < maxAtHost &&
    count((one) => one.orgId === orgId) < limits.perOrganization

  function takeNext(): Candidate | undefined {
    const next = [...waiting.values()]
      .sort((a, b) => Number(b.isAsked) - Number(a.isAsked) || a.dueAt.getTime() - b.dueAt.getTime())
      .find(mayBegin)
    if (next) waiting.delete(next.id)
    return next
  }

  async function run(candidate: Candidate): Promise<void> {
    let next: Candidate | undefined = candidate
    while (next) {
      const current: Candidate = next
      working.push(current)
      let goesOn = false
      try {
        goesOn = await current.work()
      } finally {
        working.splice(working.indexOf(current), 1)
      }
      next = goesOn ? takeNext() : undefined
    }
  }

  return {
    async stand(candidate) {
      if (mayBegin(candidate)) return run(candidate)
      // Beyond that the sweeper finds it again.
      if (waiting.size < maxWaiting || waiting.has(candidate.id)) waiting.set(candidate.id, candidate)
    },
  }
}
