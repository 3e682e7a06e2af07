/** A delivery, and the chart of a webhook. */
export const delivery = {
  copyPayload: 'Copy payload',
  itsWebhook: 'All deliveries of the webhook',
  headers: 'Headers',
  payload: 'Payload',
  answer: 'Answer',
  chart: 'Attempts over time',
}
