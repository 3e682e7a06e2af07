// The fields of an organization's key between the API and a form. Pure.
import { dateIn } from '../../parts/dates.ts'
import { dayStart } from '../../parts/days.ts'

export type KeyValues = { name: string; expires: string; addresses: string }

export const addressList = (text: string): string[] | null => {
  const list = text.split(/[\s,]+/).filter(Boolean)
  return list.length > 0 ? list : null
}

/** The key works to the end of the day. */
export const endOf = (day: string, timezone: string): string | null => (day ? dayStart(day, timezone, 1) : null)

/** The last day on which it works; empty without an end. */
export function dayOf(end: string | null, timezone: string): string {
  if (!end) return ''
  return dateIn(new Date(Date.parse(end) - 1), timezone)
}

/** Only what was changed is sent. */
export const changedBody = ({ name, expires, addresses }: Partial<KeyValues>, timezone: string) => ({
  ...(name !== undefined && { name }),
  ...(expires !== undefined && { expires_at: endOf(expires, timezone) }),
  ...(addresses !== undefined && { allowed_ips: addressList(addresses) }),
})
