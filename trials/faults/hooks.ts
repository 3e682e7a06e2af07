// Requests of organizations about their webhooks: deliveries sent again, one or all of a short while, and a new secret.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type HookLedger, isAnswered, isUnknown } from './ledger.ts'
import type { Tenant } from './tenants.ts'

const maxTries = 30
/** A replay is of moments whose deliveries have ended, so that later arrivals were sent by it. */
const windowMs = { from: 16_000, to: 12_000 }
const shownCount = 20

type Use = (tenant: Tenant, ledger: HookLedger) => Promise<void>

const resend: Use = async ({ api, webhookId }, { resent }) => {
  const path = `/v1/webhooks/${webhookId}/deliveries`
  const { body } = await api.call('GET', `${path}?limit=${shownCount}`)
  const shown: { id: string }[] = body?.data ?? []
  const one = shown[Math.floor(Math.random() * shown.length)]
  if (!one) return
  const askedAt = Date.now()
  const { status } = await api.call('POST', `${path}/${one.id}/resend`)
  if (status === 202) resent.set(one.id, askedAt)
}

const replay: Use = async ({ api, webhookId }, { replays }) => {
  const askedAt = Date.now()
  const [from, to] = [askedAt - windowMs.from, askedAt - windowMs.to]
  const body = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), only: 'all' }
  const { status, body: answer } = await api.call('POST', `/v1/webhooks/${webhookId}/replay`, body)
  if (status === 202) replays.push({ webhookId, from, to, matched: answer.matched, askedAt })
}

/**
 * With a key, so that a lost answer does not lose the secret. Until it is known no other request is sent. A refusal says nothing of
 * the tries before it: one whose answer was lost may have changed the secret.
 */
export async function rotate(
  { api, orgId, webhookId }: Pick<Tenant, 'api' | 'orgId' | 'webhookId'>,
  { secrets }: HookLedger,
  pauseMs = 500,
): Promise<void> {
  const known = secrets.get(orgId)
  if (!known || known.isChanging) return
  known.isChanging = true
  const headers = { 'idempotency-key': randomUUID() }
  let mayBeDone = false
  for (let tries = 1; tries <= maxTries; tries++) {
    const path = `/v1/webhooks/${webhookId}/secret/rotate`
    const { status, body } = await api.call('POST', path, { overlap_seconds: 3_600, force: true }, undefined, headers)
    if (isAnswered(status)) {
      if (status === 200) known.all.push({ secret: body.secret, knownAt: Date.now() })
      known.isChanging = status !== 200 && mayBeDone
      return
    }
    mayBeDone ||= isUnknown(status)
    await pause(pauseMs)
  }
}

const uses: readonly Use[] = [resend, resend, resend, replay, replay, (tenant, ledger) => rotate(tenant, ledger)]

export const useWebhook: Use = (tenant, ledger) => uses[Math.floor(Math.random() * uses.length)]!(tenant, ledger)
