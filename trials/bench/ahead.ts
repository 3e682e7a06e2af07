// Work that is due within one second, added before that second begins.
const spareMs = 1_500
const attempts = 3
/** A piece that is added later than this before the second begins may run before all are added. */
const restMs = 300

/**
 * Calls `add` with the beginning of a second that is so far ahead that `count` pieces can be added until then, and
 * returns it. If they were added too late, `forget` takes them back, and a later second is tried.
 */
export type Ahead = (
  count: number,
  add: (startMs: number) => Promise<unknown>,
  forget: () => Promise<unknown>,
) => Promise<number>

/** `msEach`: how long adding one piece takes, as a first guess; later the last time tells. */
export function openAhead(msEach: number): Ahead {
  let lastMsEach = msEach
  return async (count, add, forget) => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const begunMs = Date.now()
      const startMs = Math.ceil((begunMs + 1.3 * count * lastMsEach + spareMs) / 1_000) * 1_000
      await add(startMs)
      lastMsEach = (Date.now() - begunMs) / count
      if (Date.now() < startMs - restMs) return startMs
      await forget()
    }
    throw new Error(`the machine is too busy to add ${count} pieces of work before they are due`)
  }
}
