// One request to the service. A write carries an Idempotency-Key, so it may be repeated until there is an answer.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const { AGENT_CALENDAR_URL = 'http://localhost:3000', AGENT_CALENDAR_KEY } = process.env
const mostTries = 4

export async function request(method, path, body) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
  if (AGENT_CALENDAR_KEY) headers.Authorization = `Bearer ${AGENT_CALENDAR_KEY}`
  const url = new URL(path, AGENT_CALENDAR_URL)
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) }).catch((error) => error)
    const isOver = response instanceof Response && response.status < 500
    if (isOver || tries === mostTries) {
      if (response instanceof Error) throw response
      const answer = response.status === 204 ? undefined : await response.json()
      if (!response.ok) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer
    }
    const seconds = response instanceof Response ? Number(response.headers.get('retry-after') ?? 1) : 2 ** tries
    await pause(seconds * 1000)
  }
}
