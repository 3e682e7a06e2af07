// A reading turns bytes from outside into a value. It is named, not passed on, because it runs in a thread.

/**
 * The function that `module` exports as `name`: it takes the bytes and the options, and returns a value without functions. Bytes
 * below `atOnceBelow` are read by the process itself, in at most a few milliseconds whatever they say.
 */
export type Reading<Options, Value> = {
  module: string
  name: string
  atOnceBelow: number
  /** Never called; it carries the types. */
  types?: (options: Options) => Value
}

type ReadingFunction<Options, Value> = (bytes: Uint8Array, options: Options) => Value

/** `given_up`: it took too long or too much memory, or the process is closing. */
export type Read<Value> = { kind: 'read'; value: Value } | { kind: 'given_up'; why: 'time' | 'memory' | 'closed' }

export async function readNow<Options, Value>(
  { module, name }: Reading<Options, Value>,
  bytes: Uint8Array,
  options: Options,
): Promise<Value> {
  const functions = (await import(module)) as Record<string, ReadingFunction<Options, Value>>
  return functions[name]!(bytes, options)
}
