// Time is an argument: a use case asks the application's clock once and passes the time on.
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
