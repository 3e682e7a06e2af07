// Subscriptions of the Microsoft emulator: the handshake with both addresses, notifications of changes, lifecycle events, and
// the faults of a test: dropped, doubled, delayed.
import { randomUUID } from 'node:crypto'
import { type GraphAnswer, graphError } from './microsoftCalendarDelta.ts'
import type { Mailbox } from './microsoftCalendarMailbox.ts'

type Subscription = {
  id: string
  resource: string
  calendar: string
  notificationUrl: string
  lifecycleNotificationUrl: string | null
  clientState: string | null
  expiresMs: number
  owner: string
}

type Pushes = 'sent' | 'doubled' | 'dropped' | 'held'

const maxMinutes = 4230

/** `reach` says where an address of the outside world is here. */
export function openSubscriptions(mailbox: Mailbox, now: () => number, reach: (url: string) => string) {
  const subscriptions = new Map<string, Subscription>()
  const held: (() => Promise<unknown>)[] = []
  const underWay = new Set<Promise<unknown>>()
  const settings = { pushes: 'sent' as Pushes }

  const shown = ({ owner: _, calendar: __, expiresMs, clientState, ...rest }: Subscription) => ({
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#subscriptions/$entity',
    applicationId: 'calendar-client',
    changeType: 'created,updated,deleted',
    creatorId: 'emulator',
    latestSupportedTlsVersion: 'v1_2',
    clientState,
    expirationDateTime: new Date(expiresMs).toISOString(),
    ...rest,
  })

  async function create(body: Record<string, unknown>, owner: string): Promise<GraphAnswer> {
    const {
      resource,
      notificationUrl,
      lifecycleNotificationUrl = null,
      clientState = null,
    } = body as Record<string, string | null>
    const calendar = /^\/?me\/calendars\/([^/]+)\/events$/.exec(resource ?? '')?.[1]
    if (calendar === undefined || !mailbox.calendars.has(decodeURIComponent(calendar))) {
      return graphError(404, 'ResourceNotFound', 'The resource of the subscription is not found.')
    }
    if (!notificationUrl || !body.changeType)
      return graphError(400, 'InvalidRequest', 'A required property is missing.')
    if (clientState !== null && clientState.length > 128)
      return graphError(400, 'InvalidRequest', 'clientState is too long.')
    const expiresMs = Date.parse(String(body.expirationDateTime))
    const bad = badExpiry(expiresMs)
    if (bad) return bad
    for (const url of new Set([notificationUrl, lifecycleNotificationUrl])) {
      const failed = url === null ? undefined : await validate(url)
      if (failed !== undefined)
        return graphError(400, 'ValidationError', `Subscription validation request failed. ${failed}`)
    }
    const subscription = {
      id: randomUUID(),
      resource: resource!,
      calendar: decodeURIComponent(calendar),
      notificationUrl,
      lifecycleNotificationUrl,
      clientState,
      expiresMs,
      owner,
    }
    subscriptions.set(subscription.id, subscription)
    return { status: 201, body: shown(subscription) }
  }

  function badExpiry(expiresMs: number): GraphAnswer | undefined {
    if (Number.isNaN(expiresMs) || expiresMs <= now()) {
      return graphError(400, 'ValidationError', 'Expiration of subscription must lie in the future.')
    }
    const isFar = expiresMs > now() + maxMinutes * 60_000
    return isFar
      ? graphError(400, 'ValidationError', `Subscription expiration can only be ${maxMinutes} minutes in the future.`)
      : undefined
  }

  /** Undefined for a correct answer of the address; else its fault. */
  async function validate(url: string): Promise<string | undefined> {
    const token = `Validation: Testing client application reachability for subscription Request-Id: ${randomUUID()}`
    const address = new URL(reach(url))
    address.searchParams.set('validationToken', token)
    try {
      const headers = { 'content-type': 'text/plain; charset=utf-8' }
      const answer = await fetch(address, { method: 'POST', headers, signal: AbortSignal.timeout(10_000) })
      const text = await answer.text()
      if (answer.status !== 200) return 'Notification endpoint must respond with 200 OK to validation request.'
      if (!answer.headers.get('content-type')?.startsWith('text/plain')) return 'The answer must be text/plain.'
      return text === token ? undefined : 'Response must exactly match validationToken query parameter.'
    } catch {
      return 'Subscription validation request timed out.'
    }
  }

  const living = () => [...subscriptions.values()].filter(({ expiresMs }) => expiresMs > now())

  const post = (url: string, body: object) =>
    fetch(reach(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(
      ({ status }) => status,
      () => 0,
    )

  function send(url: string, body: object): void {
    if (settings.pushes === 'dropped') return
    const times = settings.pushes === 'doubled' ? 2 : 1
    for (let nth = 0; nth < times; nth++) {
      if (settings.pushes === 'held') held.push(() => post(url, body))
      else follow(post(url, body))
    }
  }

  function follow(promise: Promise<unknown>): void {
    underWay.add(promise)
    void promise.finally(() => underWay.delete(promise))
  }

  mailbox.onChange(({ kind, calendar, id }) => {
    for (const one of living()) {
      if (one.calendar !== calendar) continue
      const resource = `Users/emulator/Events/${id}`
      send(one.notificationUrl, {
        value: [
          {
            ...headOf(one),
            changeType: kind,
            resource,
            resourceData: { '@odata.type': '#Microsoft.Graph.Event', '@odata.id': resource, id },
          },
        ],
      })
    }
  })

  const headOf = ({ id, expiresMs, clientState }: Subscription) => ({
    subscriptionId: id,
    subscriptionExpirationDateTime: new Date(expiresMs).toISOString(),
    clientState,
    tenantId: 'emulator',
  })

  return {
    settings,
    create,
    living,
    renew(id: string, body: Record<string, unknown>): GraphAnswer {
      const found = living().find((one) => one.id === id)
      if (!found) return graphError(404, 'ResourceNotFound', 'The object was not found.')
      const expiresMs = Date.parse(String(body.expirationDateTime))
      const bad = badExpiry(expiresMs)
      if (bad) return bad
      found.expiresMs = expiresMs
      return { status: 200, body: shown(found) }
    },
    remove(id: string): GraphAnswer {
      const isThere = living().some((one) => one.id === id)
      subscriptions.delete(id)
      return isThere ? { status: 204 } : graphError(404, 'ResourceNotFound', 'The object was not found.')
    },
    /** To every subscription. A removed one gets it once. */
    sendLifecycle(event: 'missed' | 'subscriptionRemoved' | 'reauthorizationRequired') {
      for (const one of living()) {
        if (event === 'subscriptionRemoved') subscriptions.delete(one.id)
        if (one.lifecycleNotificationUrl === null) continue
        send(one.lifecycleNotificationUrl, { value: [{ ...headOf(one), lifecycleEvent: event }] })
      }
    },
    /** Subscriptions end without a word. */
    dieSilently() {
      subscriptions.clear()
    },
    async release() {
      await Promise.all(held.splice(0).map((one) => one()))
    },
    /** Resolves when every message is answered. */
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
