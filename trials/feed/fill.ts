// Many entries of one organization, sealed as the service seals them, in many transactions.
import type { App } from '../../src/app.ts'
import { payloadContext } from '../../src/changeLog/sealed.ts'
import { newId, type Uuid } from '../../src/shapes/ids.ts'

type Copied = { orgId: Uuid; calendarId: Uuid; resourceId: Uuid; payload: object }

const inTransaction = 1_000
const atOnce = 4

/** Copies of one change of an event; `count` is a multiple of a thousand. */
export async function fillFeed({ sql, sealer }: App, copied: Copied, count: number): Promise<void> {
  const { orgId, calendarId, resourceId } = copied
  const text = JSON.stringify(copied.payload)
  let left = count / inTransaction
  const work = async () => {
    while (left-- > 0) {
      const ids = Array.from({ length: inTransaction }, newId)
      const payloads = ids.map((id) => sealer.seal(payloadContext(id, 0), text).toString('hex'))
      await sql`
        insert into changes (org_id, seq, change_id, position, type, calendar_id, resource_id, revision, cause,
          payload_sealed, created_at)
        select ${orgId}::uuid, nextval('changes_seq'), (e->>0)::uuid, 0, 'event.updated', ${calendarId}::uuid,
          ${resourceId}::uuid, 1, 'api', decode(e->>1, 'hex'), now()
        from jsonb_array_elements(${JSON.stringify(ids.map((id, nth) => [id, payloads[nth]]))}::text::jsonb) as e`
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await sql`vacuum analyze changes`
}
