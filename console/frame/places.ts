// Where the command palette leads. Pure.

/** The screens of things, by the prefix of their ids. */
const things: Record<string, string> = {
  agt: '/agents/',
  apr: '/approvals/',
  cal: '/calendars/',
  con: '/connections/',
  bkp: '/booking-pages/',
  whk: '/webhooks/',
  spr: '/proposals/',
  evt: '/calendar?event=',
  whd: '/deliveries/',
  // The log of a request.
  req: '/logs?request_id=',
}

/** The screens that list things without one of their own. */
const lists: Record<string, string> = {
  key: '/keys',
  ics: '/feeds',
  avg: '/connections',
  chg: '/changes',
  aud: '/logs',
  org: '/organization',
  mem: '/organization',
  inv: '/organization',
  ses: '/organization',
}

const prefixOf = (id: string) => /^([a-z]+)_[0-9a-z]{20,}$/.exec(id.trim())?.[1] ?? ''

/** The address of the screen of a thing, if it has one. */
export function placeOf(id: string): string | undefined {
  const screen = things[prefixOf(id)]
  return screen && screen + id.trim()
}

/** Where any pasted id leads: to the screen of the thing, or to the list that has it. */
export const nearestPlaceOf = (id: string): string | undefined => placeOf(id) ?? lists[prefixOf(id)]

/** A place as links take it. */
export function partsOf(place: string): { to: string; search: Record<string, string> } {
  const [to, query] = place.split('?')
  return { to: to!, search: Object.fromEntries(new URLSearchParams(query)) }
}
