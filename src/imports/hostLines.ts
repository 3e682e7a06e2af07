// At most a few requests at once to one host from this process. A sync without a place stands in line, and its job ends; if the
// line is too long, it is refused. An organization holds at most as many places as it leaves free, and of the line too, so that
// its slow feeds do not hold up those of others on the same host. (Why not changes/places.ts: it says so.)
import type { Uuid } from '../shapes/ids.ts'

const maxAtOnce = 4
const maxInLine = 100

type Feed = { orgId: Uuid; id: Uuid }
type Work = () => Promise<boolean>
type Line = { working: Map<Uuid, number>; free: number; waiting: Map<Uuid, Map<Uuid, Work>> }

type HostLines = {
  /**
   * `work` returns false if nothing more may begin. A sync that is done takes the next one along: the organizations take turns.
   * Returns false if the line was too long.
   */
  stand(host: string, feed: Feed, work: Work): Promise<boolean>
}

export function openHostLines(): HostLines {
  const lines = new Map<string, Line>()
  return {
    async stand(host, { orgId, id }, work) {
      const line = lines.get(host) ?? { working: new Map(), free: maxAtOnce, waiting: new Map() }
      lines.set(host, line)
      if (!mayBegin(line, orgId)) return wait(line, { orgId, id }, work)
      let next: { orgId: Uuid; work: Work } | undefined = { orgId, work }
      while (next) {
        occupy(line, next.orgId, 1)
        let goesOn = false
        try {
          goesOn = await next.work()
        } finally {
          occupy(line, next.orgId, -1)
          if (line.free === maxAtOnce && line.waiting.size === 0) lines.delete(host)
        }
        next = goesOn ? takeNext(line) : undefined
      }
      return true
    },
  }
}

const held = ({ working }: Line, orgId: Uuid) => working.get(orgId) ?? 0

const mayBegin = (line: Line, orgId: Uuid) => held(line, orgId) < line.free

function occupy(line: Line, orgId: Uuid, change: 1 | -1) {
  line.free -= change
  const count = held(line, orgId) + change
  if (count > 0) line.working.set(orgId, count)
  else line.working.delete(orgId)
}

function wait(line: Line, { orgId, id }: Feed, work: Work): boolean {
  const own = line.waiting.get(orgId) ?? new Map<Uuid, Work>()
  const waiting = [...line.waiting.values()].reduce((sum, { size }) => sum + size, 0)
  if (own.size >= maxInLine - waiting && !own.has(id)) return false
  line.waiting.set(orgId, own.set(id, work))
  return true
}

/** Of the organization that was served longest ago, which then moves behind the others. */
function takeNext(line: Line): { orgId: Uuid; work: Work } | undefined {
  for (const [orgId, own] of line.waiting) {
    if (!mayBegin(line, orgId)) continue
    const [id, work] = own.entries().next().value!
    own.delete(id)
    line.waiting.delete(orgId)
    if (own.size > 0) line.waiting.set(orgId, own)
    return { orgId, work }
  }
  return undefined
}
