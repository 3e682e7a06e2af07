// Time is an argument: whoever needs the present asks the application's clock once and passes it on.
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
