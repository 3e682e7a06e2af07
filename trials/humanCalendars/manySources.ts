// Goal 13: the cost of five busy sources for a question that is not cached.
import { median } from '../world/report.ts'
import { openDesk } from './desk.ts'
import { type Goal, say } from './goal.ts'
import { askAbout, atRest, type Human, isoOf, openHuman } from './human.ts'
import { quickly } from './site.ts'

const sourceCount = 5
const intervalCount = 2_000
const questions = 500
const warmUp = 100
const days = 90
const dayMs = 86_400_000
const minuteMs = 60_000

export const manySources: Goal = {
  nth: 13,
  what: 'availability of an agent with 5 sources × 2,000 intervals, 90 days, not remembered',
  goal: 'p50 ≤ 2 × without',
  rules: [
    {
      what: 'what was read of a copy at the same revision is not read again',
      cuts: [{ file: 'src/availability/readTimes.ts', from: '  copies.keep(question, used)\n', instead: '' }],
    },
  ],
  async run(site, size) {
    const desk = await openDesk(site)
    const human = await quickly(site, () => openHuman(site, 'google', { desk, calendars: sourceCount }))
    const plain: Human = { ...human, ...(await desk.makeAgent()) }
    const day = Math.ceil(site.clock.now() / dayMs + 2) * dayMs
    // Always all of them: their cost is measured.
    const count = intervalCount
    // Five calendars whose intervals lie between each other's, so that none falls together with another.
    const apartMs = Math.floor((days * dayMs) / count / minuteMs) * minuteMs
    human.account.calendars.forEach(({ remote }, source) => {
      for (let nth = 0; nth < count; nth++) {
        const startMs = day + nth * apartMs + source * Math.floor(apartMs / sourceCount / minuteMs) * minuteMs
        site.google.addEvent(remote, isoOf(startMs), isoOf(startMs + 5 * minuteMs))
      }
    })
    await desk.session('POST', `/v1/calendar-connections/${human.account.id}/refresh`)
    await atRest(site)
    const took: [number[], number[]] = [[], []]
    let busy = 0
    for (let nth = 0; nth < warmUp + size.of(questions); nth++) {
      // Each question is another one, so nothing that was computed answers it.
      const startMs = day + nth * minuteMs
      for (const [which, one] of [human, plain].entries()) {
        const began = performance.now()
        const answer = await askAbout(one, startMs, startMs + days * dayMs, { duration: '2h' })
        if (nth >= warmUp) took[which]!.push(performance.now() - began)
        if (answer.availability_state !== 'complete') throw new Error(`the answer is ${answer.availability_state}`)
      }
    }
    const [row] = await site.sql<{ count: number }[]>`select count(*)::integer as count from external_busy`
    busy = row!.count
    const [with5, without] = took.map((times) => median(times)) as [number, number]
    say(`${busy} intervals are known`)
    return {
      isMet: with5 <= 2 * without && busy >= sourceCount * count,
      figures: `p50 ${with5.toFixed(1)} ms, without ${without.toFixed(1)} ms: ${(with5 / without).toFixed(2)} ×, ${busy} intervals`,
    }
  },
}
