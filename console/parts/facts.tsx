import type { ReactNode } from 'react'

/** The facts about one thing. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className="facts">{children}</dl>

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
