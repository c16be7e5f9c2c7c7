/** What every ledger of a host promises, numbered: a case proves one of them, and its failure names it. Numbers are never used again. */
export const ledgerPromises = {
  L1: '`reserve` sets the amount aside from free balance, or changes nothing and returns `insufficient`.',
  L2: 'A command that is repeated changes nothing and returns the same, through whichever process it comes.',
  L3: '`extend` raises the hold to a total and never lowers it, or changes nothing and returns `insufficient`.',
  L4: '`settle` debits the amount once and frees the rest of the hold.',
  L5: 'What an amount exceeds its hold by is taken from free balance; where that is too little, `settle` changes nothing and may be repeated.',
  L6: 'A second settlement with another amount returns `ended` and debits nothing.',
  L7: '`release` frees the whole hold; a settled operation returns `ended` and keeps its debit.',
  L8: 'A release is remembered, also of an operation that was never reserved: what comes late returns `ended`.',
  L9: 'What has ended stays ended: `reserve` and `extend` hold nothing for it any more.',
  L10: 'Commands at the same time have the effect of some order of them: no credit is set aside or debited twice.',
  L11: 'Of a settlement and a release at the same time one wins, and the other returns `ended`.',
  L12: 'Accounts and operations are kept apart by each character of their ids, and amounts are exact.',
  L13: 'What was answered is there when the ledger is opened again.',
  L14: 'A command that is cut off has happened as a whole or not at all: repeated, it returns the same and has one effect.',
} as const;

/** The same of every idempotency store of a host. */
export const identityPromises = {
  I1: 'Of claims of one key at the same time exactly one returns `claimed`; all others return its claim.',
  I2: 'A claim that is known is returned as it was made, with the fingerprint and the operation of the one who made it.',
  I3: 'A claim that is repeated for its own operation returns `claimed`, or itself as known, and stands.',
  I4: 'Keys are kept apart by project and by each of their characters.',
  I5: '`release` takes back the claim of its own operation and leaves any other; it may be repeated, and come first.',
  I6: 'A key that was released can be claimed by one again, whatever comes at the same time.',
  I7: 'A claim is there when the store is opened again.',
} as const;
