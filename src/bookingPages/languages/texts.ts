// The texts that every language has.
import type { en, Plural } from './en.ts'

export type { Plural } from './en.ts'

export type Texts = { [Name in keyof typeof en]: (typeof en)[Name] extends string ? string : Plural }
