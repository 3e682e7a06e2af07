import type { FullAnswer } from './operation.ts'

// biome-ignore lint/suspicious/noExplicitAny: as promises have it
type OnError<B> = (reason: any) => B | PromiseLike<B>

/** A promise of the answer of an operation. `full()` also has the status, the headers and the tag. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #answer: Promise<FullAnswer<T>>

  constructor(answer: Promise<FullAnswer<T>>) {
    this.#answer = answer
  }

  full(): Promise<FullAnswer<T>> {
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a promise
  then<A = T, B = never>(
    onAnswer?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: OnError<B> | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onAnswer, onError)
  }

  catch<B = never>(onError?: OnError<B> | null): Promise<T | B> {
    return this.then(null, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd)
  }
}

/** The next page of a list: undefined after the last one. */
type NextPage<Page> = (page: Page) => Promise<FullAnswer<Page>> | undefined

/** A list: awaited, it is the first page; in `for await`, all of its items. */
export class PagedCall<Item, Page> extends Call<Page> implements AsyncIterable<Item> {
  readonly #next: NextPage<Page>

  constructor(first: Promise<FullAnswer<Page>>, next: NextPage<Page>) {
    super(first)
    this.#next = next
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let answer: Promise<FullAnswer<Page>> | undefined = this.full()
    while (answer) {
      const { data } = (await answer) as FullAnswer<Page>
      yield data
      answer = this.#next(data)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* (page as { data: Item[] }).data
  }
}
