import { actAtOnce } from '../../service/actAtOnce.ts'
import { service } from '../../service/service.ts'
import { texts } from '../../texts.ts'

/** Sends a delivery once more, and says so. */
export const resend = (id: string, whd: string) =>
  actAtOnce(() => service.webhooks.resendDelivery(id, whd), texts.sentAgain, 'delivery')
