// Questions of an organization about its own records.
import type { Expectation } from './identity.ts'

export type Question = {
  by?: 'api' | 'console' | 'visitor'
  method?: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: object
  expects: Expectation
}
