// A mutation as a dry run, and then the mutation itself: the first changes nothing, and tells what the second does.
import assert from 'node:assert/strict'
import type { TestService } from './harness.ts'
import type { Asked } from './mutations.ts'
import { remainsOf } from './remains.ts'

/** Fields that a dry run leaves out, by name. */
const untold = new Set([
  ...[
    'id',
    'event_id',
    'slug',
    'booking_url',
    'ical_url',
    'busy_ical_url',
    'secret',
    'otpauth_url',
    'recovery_codes',
    'key',
    'key_prefix',
    'api_key',
    'setup_url',
    'authorization_url',
  ],
  // Of an attempt that is not made.
  ...['delivered', 'outcome', 'duration_ms'],
])

/** The same, but for what the request itself has made. */
function assertAlike(dry: unknown, real: unknown, name: string, field = ''): void {
  if (dry === null && typeof real !== 'object' && untold.has(field)) return
  if (typeof dry !== 'object' || dry === null) {
    assert.deepEqual(dry, real, `${name}.${field}`)
    return
  }
  assert.deepEqual(Object.keys(dry), Object.keys(real as object), name)
  for (const [key, value] of Object.entries(dry)) {
    assertAlike(value, (real as Record<string, unknown>)[key], name, Array.isArray(dry) ? field : key)
  }
}

const toldTypes = async ({ app }: TestService) =>
  (await app.sql<{ type: string }[]>`select type from changes order by seq, change_id, position`).map(
    ({ type }) => type,
  )

type DryRun = { status: number; body: unknown; spends: Record<string, number> }

/** The answer of the dry run, which is compared with that of the request itself. */
export async function assertDryRun(
  service: TestService,
  name: string,
  { method, path, key, body }: Asked,
): Promise<DryRun> {
  const before = await remainsOf(service)
  const dry = await service.call(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, { key, body })
  assert.equal(dry.status, 200, `${name}: ${JSON.stringify(dry.body)}`)
  assert.deepEqual(Object.keys(dry.body), ['dry_run', 'status', 'body', 'effects', 'spends'], name)
  assert.deepEqual(await remainsOf(service), before, name)
  const told = await toldTypes(service)
  const real = await service.call(method, path, { key, body, redirect: 'manual' })
  assert.equal(dry.body.status, real.status, name)
  assertAlike(dry.body.body, real.body === '' ? null : real.body, name)
  const since = (await toldTypes(service)).slice(told.length)
  assert.deepEqual(
    dry.body.effects.map(({ type }: { type: string }) => type),
    since,
    name,
  )
  return dry.body
}
