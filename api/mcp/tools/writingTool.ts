import type { z } from 'zod'
import { type Definition, type Tool, tool } from '../language/tool.ts'
import type { Writing } from '../language/writing.ts'

/** A tool that changes something, as `tool`: it is run by its parts. */
export function writingTool<
  A extends z.ZodRawShape,
  Context extends object,
  Input extends object,
  Body,
  // biome-ignore lint/complexity/noBannedTypes: no further argument
  T extends z.ZodRawShape = {},
>(definition: Omit<Definition<A, T>, 'run'> & Writing<z.infer<z.ZodObject<A & T>>, Context, Input, Body>): Tool {
  const { context, input, act, show, ...rest } = definition
  const run = () => Promise.reject(new Error('a tool that writes is run by runWriting'))
  return { ...tool({ ...rest, run } as never), writing: { context, input, act, show } }
}
