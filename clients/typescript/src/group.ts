import { Call, PagedCall } from './call.ts'
import type { FullAnswer, OperationSpec } from './operation.ts'
import { nextQuery } from './paging.ts'

export type Send = (
  operation: OperationSpec,
  path: Record<string, string>,
  body: unknown,
  options: object | undefined,
) => Promise<FullAnswer<unknown>>

/** The common base of the generated groups of operations. */
export class Group {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  protected send<T>(operation: OperationSpec, path: Record<string, string>, body: unknown, options?: object): Call<T> {
    return new Call(this.#send(operation, path, body, options) as Promise<FullAnswer<T>>)
  }

  protected sendPaged<Item, Page>(
    operation: OperationSpec,
    path: Record<string, string>,
    body: unknown,
    options?: object,
  ): PagedCall<Item, Page> {
    const read = (query: object) =>
      this.#send(operation, path, body, { ...options, ...query }) as Promise<FullAnswer<Page>>
    return new PagedCall(read({}), (page) => {
      const query = nextQuery(operation, page)
      return query && read(query)
    })
  }
}
