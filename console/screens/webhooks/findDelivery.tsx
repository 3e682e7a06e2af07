import { notFound, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Unread } from '../../parts/unread.tsx'
import { isNotFound } from '../../service/refusal.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'

type Read = { signal: AbortSignal }

const limit = 100

/** The webhook that a delivery is of; null if none has it. A receiver knows the id of the delivery alone, from `webhook-id`. */
async function webhookOf(whd: string, options: Read): Promise<string | null> {
  const { data } = await service.webhooks.list({ ...options, limit })
  for (const { id } of data) {
    const isOf = await service.webhooks.getDelivery(id, whd, options).then(
      () => true,
      (error) => {
        if (isNotFound(error)) return false
        throw error
      },
    )
    if (isOf) return id
  }
  return null
}

/** Leads to the delivery whose id somebody has pasted. */
export function FindDelivery() {
  const { whd } = useParams({ strict: false }) as { whd: string }
  const navigate = useNavigate()
  const { data: webhook, error, refetch } = useRead(['one', 'webhook', 'of', whd], (options) => webhookOf(whd, options))
  useEffect(() => {
    if (webhook) navigate({ to: `/webhooks/${webhook}/deliveries/${whd}`, replace: true })
  }, [webhook, whd, navigate])
  if (webhook === null) throw notFound()
  return <Unread error={error} again={refetch} />
}
