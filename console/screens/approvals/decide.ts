// Approves and rejects. The decision shows at once, and goes back if the service refuses it.
import { ApiError, type Approval } from '../../../clients/typescript/src/entry.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { notify } from '../../state/notices.ts'
import { createStore } from '../../state/store.ts'
import { texts } from '../../texts.ts'

export type Decision = 'approve' | 'reject'
type Sent = { idempotencyKey?: string }

/** Statuses that the service has not confirmed yet, by the id of the approval. */
export const hopedStatuses = createStore<Readonly<Record<string, Approval['status']>>>({})

export async function decide(id: string, decision: Decision, reason: string, sent: Sent = {}): Promise<Approval> {
  hopedStatuses.set((now) => ({ ...now, [id]: decision === 'approve' ? 'approved' : 'rejected' }))
  try {
    const decided = await service.approvals[decision](id, reason ? { reason } : {}, sent)
    await acted('approval', 'event', 'calendar')
    if (decided.status !== 'failed') notify(decision === 'approve' ? texts.approved : texts.rejected)
    return decided
  } finally {
    hopedStatuses.set(({ [id]: _, ...now }) => now)
  }
}

/** The refusal of an approved request, as if the person had sent it. Undefined for every other outcome. */
export function refusalOfApproved({ status, result }: Pick<Approval, 'status' | 'result'>): ApiError | undefined {
  const { error } = (result?.body ?? {}) as { error?: ConstructorParameters<typeof ApiError>[1] }
  return status === 'failed' && error ? new ApiError(result!.status, error, new Headers()) : undefined
}
