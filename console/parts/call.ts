// How people join by video or phone, between the service and the form. Pure.

export type Call = { url: string; provider?: string; pin?: string; phone?: string }

export type CallValues = {
  conference_url: string
  conference_provider: string
  conference_pin: string
  conference_phone: string
}

export const noCall: CallValues = {
  ...{ conference_url: '', conference_provider: '', conference_pin: '', conference_phone: '' },
}

export const callFields = Object.keys(noCall) as readonly (keyof CallValues)[]

export const callValues = (call: Call | null | undefined): CallValues => ({
  ...{ conference_url: call?.url ?? '', conference_provider: call?.provider ?? '' },
  ...{ conference_pin: call?.pin ?? '', conference_phone: call?.phone ?? '' },
})

export const filled = <T extends Record<string, string>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')) as Partial<T>

/** Without an address there is no call. */
export function callOf(values: CallValues): Call | null {
  const { conference_url: url, conference_provider: provider, conference_pin: pin, conference_phone: phone } = values
  return url === '' ? null : { url, ...filled({ provider, pin, phone }) }
}
