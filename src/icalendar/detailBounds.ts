// The bounds of an event's details: bodies beyond them are refused, and feeds are cut to them.
export const detailBounds = { location: 1_000, named: 50, labels: 20, label: 64, links: 20, linkTitle: 255 } as const

/** Of RFC 6838, without parameters. */
export const mediaType = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/
