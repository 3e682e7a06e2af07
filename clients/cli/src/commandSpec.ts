// The rows of the generated table of commands.

export type OptionSpec = {
  flag: string
  name: string
  place: 'body' | 'query'
  kind: 'text' | 'number' | 'boolean' | 'list' | 'numbers' | 'json'
  required: boolean
  choices?: readonly string[]
  /** `null` removes the value. */
  isNullable?: boolean
  isTime?: boolean
  /** Prompted for, and never an argument, because other users of the machine can read the command line. */
  isSecret?: boolean
  description?: string
}

export type CommandSpec = {
  id: string
  noun: string
  verb: string
  /** Where the client has it. */
  group: string
  name: string
  summary: string
  description: string
  words: readonly { name: string; description?: string }[]
  options: readonly OptionSpec[]
  hasBody: boolean
  paging: 'offset' | 'cursor' | 'none'
  isRead: boolean
  keyed: boolean
  ifMatch: boolean
  example: string
}
