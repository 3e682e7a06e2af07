/** A delivery, and the chart of a webhook. */
export const delivery = {
  copyPayload: 'Copy payload',
  itsWebhook: 'Its webhook',
  headers: 'Headers',
  payload: 'Payload',
  answer: 'Answer',
  chart: 'Attempts over time',
}
