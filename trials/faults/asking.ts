// Requests that are repeated with one key until there is an answer, so that it is known whether they happened.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from './client.ts'
import type { Answer } from './identity.ts'
import { isAnswered } from './ledger.ts'

const maxTries = 30
const restMs = 500

export type Told = Pick<Answer, 'status' | 'body'>

/** Undefined: no answer came, and the request may have happened. */
export function askOnce({ call }: Caller, method: string, path: string, body?: object): Promise<Told | undefined> {
  const headers = { 'idempotency-key': randomUUID() }
  return untilAnswered(() => call(method, path, body, undefined, headers))
}

export async function untilAnswered(ask: () => Promise<Told>): Promise<Told | undefined> {
  for (let tries = 1; tries <= maxTries; tries++) {
    const told = await ask()
    if (isAnswered(told.status)) return told
    await pause(restMs)
  }
  return undefined
}

type Done = Told & { status: 200 | 201 | 202 | 204 }

export const isDone = (told: Told | undefined): told is Done => told !== undefined && told.status < 300

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Item = any

const pageSize = 100

/** The whole of a list that answers in pages. At rest. */
export async function listAll(api: Caller, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let offset = 0; ; offset += pageSize) {
    const { data, total } = await api.require(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}&offset=${offset}`,
    )
    items.push(...data)
    if (offset + pageSize >= total) return items
  }
}
