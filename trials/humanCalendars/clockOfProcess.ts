// Loaded into every process of the service before its own code: the trial sets its clock ahead.
import { readFileSync, watch } from 'node:fs'

const file = process.env.TRIAL_CLOCK
const RealDate = Date
let aheadMs = 0

if (file) {
  const read = () => {
    aheadMs = Number(readFileSync(file, 'utf8')) || aheadMs
  }
  read()
  watch(file, { persistent: false }, read)
  globalThis.Date = class extends RealDate {
    constructor(...words: unknown[]) {
      if (words.length === 0) super(RealDate.now() + aheadMs)
      else super(...(words as [number]))
    }
    static override now(): number {
      return RealDate.now() + aheadMs
    }
  } as DateConstructor
}
