import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { alarm, notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

/** Sends a delivery once more, and says so. */
export async function resend(id: string, whd: string): Promise<void> {
  try {
    await service.webhooks.resendDelivery(id, whd)
    await acted('delivery')
    notify(texts.sentAgain)
  } catch (error) {
    alarm(error)
  }
}
