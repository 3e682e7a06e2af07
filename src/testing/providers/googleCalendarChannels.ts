// Channels of the emulator of Google: a message with headers and no body when a calendar has changed. They expire, and may be
// delayed, doubled, lost or silent.
import { randomBytes } from 'node:crypto'
import { type GoogleAnswer, googleError } from './googleCalendarAnswers.ts'

type Channel = {
  id: string
  token: string
  address: string
  calendarId: string
  resourceId: string
  expiresMs: number
  messages: number
}

const maxMs = 7 * 24 * 60 * 60_000

export function openGoogleChannels() {
  const living = new Map<string, Channel>()
  const held: (() => void)[] = []
  /** Messages under way. */
  const sent = new Set<Promise<unknown>>()

  const channels = {
    living,
    now: () => Date.now(),
    /** The fate of messages about changes. Held messages wait for `release`. */
    delivery: 'once' as 'once' | 'twice' | 'never' | 'held',
    /** Where addresses of the outside world are in the test. */
    reachable: new Map<string, string>(),
    watch(
      calendarId: string,
      body: {
        id?: string
        type?: string
        address?: string
        token?: string
        expiration?: unknown
        params?: { ttl?: string }
      },
    ): GoogleAnswer {
      const { id, type, address } = body
      if (!id || type !== 'web_hook' || !address) return googleError(400, 'required')
      if (!address.startsWith('https://') && !/^http:\/\/127\.0\.0\.1[:/]/.test(address))
        return googleError(400, 'push.webhookUrlNotHttps')
      if (living.has(id)) return googleError(400, 'channelIdNotUnique')
      const seconds = Number(body.params?.ttl)
      const asked =
        body.expiration === undefined
          ? channels.now() + (seconds > 0 ? seconds * 1000 : maxMs)
          : Number(body.expiration)
      const expiresMs = Math.min(asked, channels.now() + maxMs)
      const resourceId = Buffer.from(calendarId).toString('base64url').slice(0, 27)
      const channel = { id, token: body.token ?? '', address, calendarId, resourceId, expiresMs, messages: 0 }
      living.set(id, channel)
      send(channel, 'sync')
      const resourceUri = `https://www.googleapis.com/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events?alt=json`
      return { status: 200, body: { kind: 'api#channel', id, resourceId, resourceUri, expiration: String(expiresMs) } }
    },
    stop({ id, resourceId }: { id?: string; resourceId?: string }): GoogleAnswer {
      const channel = living.get(id ?? '')
      if (!channel || channel.resourceId !== resourceId) return googleError(404, 'notFound')
      living.delete(channel.id)
      return { status: 204 }
    },
    announce(calendarId: string): void {
      for (const channel of living.values()) {
        if (channel.calendarId !== calendarId || channel.expiresMs <= channels.now()) continue
        if (channels.delivery === 'held') held.push(() => send(channel, 'exists'))
        const times = { once: 1, twice: 2, never: 0, held: 0 }[channels.delivery]
        for (let nth = 0; nth < times; nth++) send(channel, 'exists')
      }
    },
    release(): void {
      for (const late of held.splice(0)) late()
    },
    /** They are forgotten without a message. */
    dieSilently(): void {
      living.clear()
    },
    /** When every message has arrived. */
    async settled(): Promise<void> {
      while (sent.size > 0) await Promise.all(sent)
    },
  }

  function send(channel: Channel, state: 'sync' | 'exists'): void {
    channel.messages += 1
    const url = new URL(channel.address)
    const target = (channels.reachable.get(url.origin) ?? url.origin) + url.pathname
    const message = fetch(target, {
      method: 'POST',
      headers: {
        'x-goog-channel-id': channel.id,
        'x-goog-channel-token': channel.token,
        'x-goog-channel-expiration': new Date(channel.expiresMs).toUTCString(),
        'x-goog-resource-id': channel.resourceId,
        'x-goog-resource-uri': `https://www.googleapis.com/calendar/v3/calendars/${encodeURIComponent(channel.calendarId)}/events`,
        'x-goog-resource-state': state,
        'x-goog-message-number': String(state === 'sync' ? 1 : randomBytes(2).readUInt16BE() + 2),
        'user-agent': 'APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)',
        'content-length': '0',
      },
    })
      .catch(() => undefined)
      .finally(() => sent.delete(message))
    sent.add(message)
  }

  return channels
}
