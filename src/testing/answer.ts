// The response of the service to a test.
export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
  body: any
}
