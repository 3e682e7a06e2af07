// One thread for bytes from outside, as the process sees it. It is ended when a piece of work takes too long or too much memory.
import { Worker } from 'node:worker_threads'
import type { Read } from './reading.ts'
import type { Message, Work } from './thread.ts'

type Limits = { deadlineMs: number; memoryMb: number }

export type Thread = {
  /** One at a time. Rejects only for our own faults. */
  read(work: Work): Promise<Read<unknown>>
  /** It has ended, and reads nothing more. */
  isOver(): boolean
  end(): Promise<void>
}

/** It does not keep the process alive while it has nothing to do. */
export function startThread({ deadlineMs, memoryMb }: Limits): Thread {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // It needs neither the environment nor the arguments of the process.
    env: {},
    execArgv: [],
  })
  let isOver = false
  /** The end of the thread is an answer too. */
  let answer = Promise.withResolvers<Read<unknown>>()
  let deadline: NodeJS.Timeout | undefined
  let lastLook: NodeJS.Immediate | undefined
  let parts = new Map<string, unknown[]>()
  const over = (outcome: Read<unknown> | Error) => {
    isOver = true
    if (outcome instanceof Error) answer.reject(outcome)
    else answer.resolve(outcome)
  }
  const next = () => {
    answer = Promise.withResolvers()
    parts = new Map()
    // A waiting caller gets the error; without work there is no caller.
    answer.promise.catch(() => {})
    return answer.promise
  }
  const giveUp = () => {
    over({ kind: 'given_up', why: 'time' })
    void worker.terminate()
  }
  worker.on('message', (message: Message) => {
    if (isOver) return
    // If this process was held up, the value may be here and not be taken yet: it is, before an immediate runs.
    if (message.kind === 'begun') deadline = setTimeout(() => (lastLook = setImmediate(giveUp)), deadlineMs)
    else if (message.kind === 'value') answer.resolve({ kind: 'read', value: joined(message.value, parts) })
    else parts.set(message.name, [...(parts.get(message.name) ?? []), message.items])
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    over(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'given_up', why: 'memory' } : error),
  )
  worker.on('exit', () => over(new Error('the thread that reads bytes from outside has ended')))
  worker.unref()
  return {
    isOver: () => isOver,
    async end() {
      over({ kind: 'given_up', why: 'closed' })
      await worker.terminate()
    },
    async read(work) {
      if (isOver) return { kind: 'given_up', why: 'closed' }
      worker.ref()
      const reading = next()
      worker.postMessage(work)
      try {
        return await reading
      } finally {
        clearTimeout(deadline)
        clearImmediate(lastLook)
        if (!isOver) worker.unref()
      }
    },
  }
}

function joined(value: unknown, parts: ReadonlyMap<string, unknown[]>): unknown {
  if (parts.size === 0) return value
  const lists = [...parts].map(([name, pieces]) => [name, (pieces as unknown[][]).flat()])
  return { ...(value as object), ...Object.fromEntries(lists) }
}
