// At most a few requests at once to one host from this process. Who finds no place stands in line and takes no worker's
// place meanwhile; a line that is too long sends people away.

const mostAtOnce = 4
const longestLine = 100

type Line = { working: number; waiting: Map<string, () => Promise<boolean>> }

type HostLines = {
  /**
   * `work` says false when nothing more is to be begun. Whoever is done takes the next one along. Returns false when the
   * line was too long.
   */
  stand(host: string, id: string, work: () => Promise<boolean>): Promise<boolean>
}

export function openHostLines(): HostLines {
  const lines = new Map<string, Line>()
  return {
    async stand(host, id, work) {
      const line = lines.get(host) ?? { working: 0, waiting: new Map() }
      lines.set(host, line)
      if (line.working >= mostAtOnce) {
        if (line.waiting.size >= longestLine && !line.waiting.has(id)) return false
        line.waiting.set(id, work)
        return true
      }
      line.working++
      try {
        let goesOn = await work()
        for (const [next, nextWork] of line.waiting) {
          if (!goesOn) break
          line.waiting.delete(next)
          goesOn = await nextWork()
        }
      } finally {
        line.working--
        if (line.working === 0) lines.delete(host)
      }
      return true
    },
  }
}
