// `listen`: forwards changes to a receiver on this machine, signed like a delivery. It reads the change feed, so it needs
// neither a public address nor a webhook, and after a restart it continues where it was.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Change, webhookTypes } from '../../typescript/src/entry.ts'
import { cleanLine } from './clean.ts'
import { deliveryOf, newSecret } from './delivery.ts'
import { UsageError } from './failures.ts'
import { followOptions } from './follow.ts'
import { type Global, print, say } from './output.ts'
import { readPrivate, stateFile, writePrivately } from './privateFiles.ts'
import { currentSession, openClient } from './session.ts'
import type { Session } from './signIns.ts'

type Given = Global & { forwardTo: string; types?: string; calendarIds?: string; agentIds?: string; fromNow?: boolean }
type State = { secret: string; cursor?: string }

const deadlineMs = 10_000
const knockEveryMs = 1_000

export async function listen(given: Given, signal: AbortSignal): Promise<void> {
  const to = receiverAddress(given.forwardTo)
  const session = currentSession(given.url)
  const types = given.types ?? webhookTypes.join(',')
  const file = stateFile(`listen-${fingerprint(session, to)}.json`)
  const kept = readPrivate<State>(file)
  const state: State = { secret: kept?.secret ?? newSecret(), cursor: given.fromNow ? undefined : kept?.cursor }
  writePrivately(file, state)
  if (given.json) print(JSON.stringify({ secret: state.secret, forward_to: to }))
  else {
    say(`Forwarding to ${to}${state.cursor ? ', from where it stopped' : ''}. Ctrl-C ends it.`)
    print(`Secret of your receiver: ${state.secret}`)
  }
  const options = followOptions({ ...given, types, ...(state.cursor && { cursor: state.cursor }) }, signal)
  for await (const step of openClient(session).changes.follow(options)) {
    if (step.kind === 'changes')
      for (const change of step.entries) await forward(change, to, state.secret, given, signal)
    if (step.kind === 'resync') say('Older changes are no longer kept: some were not forwarded.')
    // After the last delivery that the receiver answered: a restart repeats unanswered ones, under the same delivery id.
    state.cursor = step.cursor
    writePrivately(file, state)
  }
}

async function forward(change: Change, to: string, secret: string, given: Given, signal: AbortSignal): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted()
    const began = performance.now()
    const outcome = await post(change, to, secret, signal)
    const tookMs = Math.round(performance.now() - began)
    if (outcome !== 'ECONNREFUSED') return report(change, outcome, tookMs, given)
    if (isFirst) say(`Nothing listens at ${to}. Waiting for it; nothing is lost.`)
    await pause(knockEveryMs, undefined, { signal })
  }
}

/** The status of the receiver, or why there is none. */
async function post(change: Change, to: string, secret: string, signal: AbortSignal): Promise<number | string> {
  const { body, headers } = deliveryOf(change, secret, new Date())
  const within = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  try {
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: within })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    signal.throwIfAborted()
    if ((error as Error).name === 'TimeoutError') return `no answer within ${deadlineMs / 1000} s`
    const { cause } = error as { cause?: { code?: string; message?: string } }
    return cause?.code ?? cause?.message ?? (error as Error).message
  }
}

function report({ at, type, resource, id }: Change, outcome: number | string, ms: number, { json }: Given): void {
  if (json) print(JSON.stringify({ id, type, at, outcome, ms }))
  else print(cleanLine(`${at}  ${type.padEnd(24)}  ${resource.id}  → ${outcome}  ${ms} ms`))
}

function receiverAddress(text: string): string {
  const full = /^\d+$/.test(text) ? `http://localhost:${text}` : /^https?:\/\//.test(text) ? text : `http://${text}`
  try {
    return new URL(full).href
  } catch {
    throw new UsageError(`--forward-to is an address such as http://localhost:4000/hooks, or a port.`)
  }
}

/** One place for each service, key and receiver; the name of the file does not reveal the key. */
const fingerprint = ({ url, key }: Session, to: string) =>
  createHash('sha256').update([url, key, to].join('\n')).digest('hex').slice(0, 24)
