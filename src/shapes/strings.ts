// String methods as functions of the string, for loops over characters. Once any package of the process has made a class of
// String (ioredis has), V8 no longer knows what a string's methods are and looks each of them up at every call:
// `text.charCodeAt(at)` then takes five times as long. A function held by a constant stays known.

const { call } = Function.prototype

export const charCodeAt = call.bind(String.prototype.charCodeAt) as (text: string, at: number) => number
export const indexOf = call.bind(String.prototype.indexOf) as (text: string, searched: string, from: number) => number
export const slice = call.bind(String.prototype.slice) as (text: string, from: number, to: number) => string
export const startsWith = call.bind(String.prototype.startsWith) as (text: string, start: string, at: number) => boolean
