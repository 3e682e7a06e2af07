import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { Menu } from '../parts/menu.tsx'
import { useMay } from '../service/roles.ts'
import { signOut } from '../service/signOut.ts'
import { texts } from '../texts.ts'
import { Feedback } from './feedback.tsx'
import { useKeys, useShortcuts } from './shortcuts.ts'

/** The menu of the person, and what its entries open. */
export function Account() {
  const [open, setOpen] = useState<'shortcuts' | 'feedback' | undefined>()
  const close = () => setOpen(undefined)
  const mayChange = useMay('developer')
  useShortcuts()
  useKeys({ '?': () => setOpen('shortcuts') })
  return (
    <>
      <Menu
        label={texts.account}
        items={[
          { label: texts.shortcuts, run: () => setOpen('shortcuts') },
          ...(mayChange ? [{ label: texts.sendFeedback, run: () => setOpen('feedback') }] : []),
          { label: texts.signOut, run: signOut },
        ]}
      />
      {open === 'shortcuts' && (
        <Dialog title={texts.shortcuts} close={close}>
          <dl className="keys">
            {[...texts.keys, ...texts.calendarKeys].map(([key, meaning]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          <div className="actions">
            <button type="button" className="quiet" onClick={close}>
              {texts.cancel}
            </button>
          </div>
        </Dialog>
      )}
      {open === 'feedback' && (
        <Dialog title={texts.sendFeedback} close={close}>
          <Feedback close={close} />
        </Dialog>
      )}
    </>
  )
}
