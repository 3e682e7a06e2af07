// Channels of Google: it posts a message without a body when something in a calendar has changed.
import { type GoogleApi, googleFailure, googleTrouble, isLimit } from './googleApi.ts'
import type { NewChannel, Provider } from './provider.ts'

type Watched = Awaited<ReturnType<NonNullable<Provider['watch']>>>
type Stopped = Awaited<ReturnType<NonNullable<Provider['stop']>>>

export async function watchGoogle(
  api: GoogleApi,
  { remote, id, secret, pushUrl, until }: NewChannel,
): Promise<Watched> {
  const answer = await api.request({
    method: 'POST',
    path: `/calendars/${encodeURIComponent(remote)}/events/watch`,
    body: { id, type: 'web_hook', address: pushUrl, token: secret, expiration: String(until.getTime()) },
  })
  if (answer.kind === 'status') {
    // Such as a calendar of holidays, of which Google tells nothing.
    const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429 && !isLimit(answer)
    return isRefused
      ? { kind: 'rejected', message: 'Google sends no notifications for this calendar.' }
      : googleTrouble(answer)
  }
  if (answer.kind !== 'answered') return answer
  const { resourceId, expiration } = (answer.body ?? {}) as { resourceId?: unknown; expiration?: unknown }
  if (typeof resourceId !== 'string') return googleFailure('malformed')
  const expiresMs = Number(expiration)
  return { kind: 'watching', resource: resourceId, expiresAt: expiresMs > 0 ? new Date(expiresMs) : until }
}

export async function stopGoogle(api: GoogleApi, { id, resource }: { id: string; resource: string }): Promise<Stopped> {
  const answer = await api.request({ method: 'POST', path: '/channels/stop', body: { id, resourceId: resource } })
  if (answer.kind === 'status') {
    return answer.status === 404 || answer.status === 400 ? { kind: 'stopped' } : googleTrouble(answer)
  }
  return answer.kind === 'answered' ? { kind: 'stopped' } : answer
}
