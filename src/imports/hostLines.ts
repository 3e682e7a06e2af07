// At most a few requests at once to one host from this process. Who finds no place stands in line and takes no worker's
// place meanwhile; a line that is too long sends people away. An organization has fewer places than are left free, and fewer
// in the line, so that its slow feeds hold up nobody else's on the same host.
import type { Uuid } from '../shapes/ids.ts'

const maxAtOnce = 4
const longestLine = 100

type Feed = { orgId: Uuid; id: Uuid }
type Work = () => Promise<boolean>
type Line = { working: Map<Uuid, number>; free: number; waiting: Map<Uuid, Map<Uuid, Work>> }

type HostLines = {
  /**
   * `work` says false when nothing more is to be begun. Whoever is done takes the next one along: the organizations take
   * turns. Returns false when the line was too long.
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
  if (own.size >= longestLine - waiting && !own.has(id)) return false
  line.waiting.set(orgId, own.set(id, work))
  return true
}

/** Of the organization that was served longest ago; it goes behind the others. */
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
