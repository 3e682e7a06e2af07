// A process of a benchmark: it reports when it is ready, answers orders one at a time, and ends with its parent.
import { type ChildProcess, fork } from 'node:child_process'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { endChild } from '../../local/children.ts'
import { listenOnLoopback } from '../world/listen.ts'

export type Child<Order, Reply> = {
  /** Its report when it became ready. */
  ready: { port?: number; ports?: number[] }
  pid: number
  ask(order: Order): Promise<Reply>
  stop(): Promise<void>
}

export type ChildOptions = { env?: NodeJS.ProcessEnv; args?: readonly string[]; execArgv?: readonly string[] }

const readyWithinMs = 30_000
const stopWithinMs = 10_000

/** `file` is relative to the top of the repository. */
export async function startChild<Order = never, Reply = never>(
  file: string,
  { env = process.env, args = [], execArgv = [] }: ChildOptions = {},
): Promise<Child<Order, Reply>> {
  const child = fork(fileURLToPath(new URL(`../../${file}`, import.meta.url)), [...args], {
    env,
    execArgv: [...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ready = (await message(child, file, readyWithinMs)) as Child<Order, Reply>['ready']
  return {
    ready,
    pid: child.pid!,
    async ask(order) {
      // It ended after an order that failed.
      if (!child.connected) throw new Error(`${file} has ended`)
      child.send(order as object)
      return (await message(child, file)) as Reply
    },
    stop: async () => void (await endChild(child, 'SIGTERM', stopWithinMs)),
  }
}

const answerWithinMs = 120_000

function message(child: ChildProcess, file: string, withinMs = answerWithinMs): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => settle(() => reject(new Error(`${file} ended (${code})`)))
    const arrived = (text: unknown) => settle(() => resolve(text))
    const timer = setTimeout(() => settle(() => reject(new Error(`${file} did not answer in time`))), withinMs)
    const settle = (done: () => void) => {
      clearTimeout(timer)
      child.off('exit', ended).off('message', arrived)
      done()
    }
    child.once('exit', ended).once('message', arrived)
  })
}

/** The other end: reports that it is ready and answers orders. An order that fails ends the process. */
export function serveOrders<Order, Reply>(facts: object, answer: (order: Order) => Promise<Reply>): void {
  process.on('message', (order) => {
    answer(order as Order).then((reply) => process.send!(reply))
  })
  endWithParent()
  process.send!({ ready: true, ...facts })
}

/** An orderly exit, so that a profile is written. */
export function endWithParent(): void {
  process.once('SIGTERM', () => process.exit(0))
  process.once('disconnect', () => process.exit(0))
}

/** The other end of a process that only serves HTTP. */
export async function serveHttp(server: Server): Promise<void> {
  endWithParent()
  process.send!({ ready: true, port: await listenOnLoopback(server) })
}
