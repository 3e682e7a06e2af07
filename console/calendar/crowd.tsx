import { Dialog } from '../parts/dialog.tsx'
import { texts } from '../texts.ts'
import type { Item } from './items.ts'

type Props = { title: string; items: readonly Item[]; open: (item: Item) => void; close: () => void }

/** The events for which there was no place beside the others. */
export const Crowd = ({ title, items, open, close }: Props) => (
  <Dialog title={title} close={close}>
    <ul className="plain">
      {items.map((item) => (
        <li key={item.key}>
          <button type="button" className="quiet" aria-label={item.name} onClick={() => open(item)}>
            {item.event.title}
          </button>{' '}
          {item.times}
        </li>
      ))}
    </ul>
    <div className="actions">
      <button type="button" className="quiet" onClick={close}>
        {texts.close}
      </button>
    </div>
  </Dialog>
)
