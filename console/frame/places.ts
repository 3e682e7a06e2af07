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
  // The log of a request.
  req: '/logs?request_id=',
}

/** The address of any pasted id that has a screen. */
export function placeOf(id: string): string | undefined {
  const prefix = /^([a-z]+)_[0-9a-z]{20,}$/.exec(id.trim())?.[1]
  return prefix && things[prefix] && things[prefix] + id.trim()
}
