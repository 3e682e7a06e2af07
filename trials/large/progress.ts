// Long work says how far it is: a line when a stage has taken a while, and one when it is done.

const everyMs = 15_000

type Stage = {
  /** This many more rows are done. */
  add(rows: number): void
  end(): void
}

const counted = (rows: number) => rows.toLocaleString('en')

/** `left`: the rows of the stage take as long as those that are done. */
export function progressLine(name: string, done: number, total: number, spentMs: number): string {
  const percent = Math.floor((done / total) * 100)
  const leftMs = done > 0 ? (spentMs / done) * (total - done) : undefined
  const left = leftMs === undefined ? '' : `, ${durationOf(leftMs)} left`
  return `  ${name}: ${counted(done)} of ${counted(total)} (${percent} %)${left}`
}

export function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function openStage(name: string, total: number, print: (line: string) => void = console.log): Stage {
  const beganMs = performance.now()
  let [done, printedMs] = [0, beganMs]
  return {
    add(rows) {
      done += rows
      const nowMs = performance.now()
      if (nowMs - printedMs < everyMs) return
      printedMs = nowMs
      print(progressLine(name, done, total, nowMs - beganMs))
    },
    end: () => print(`  ${name}: ${counted(done)} in ${durationOf(performance.now() - beganMs)}`),
  }
}
