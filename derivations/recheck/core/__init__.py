"""The part of the checker on which everything rests, in the order in which to read it.

A certificate is data: a statement, a verdict, a method, and a payload that says the steps. The checker believes nothing
of it, runs nothing in it and searches for nothing: a step is computed from the statement and the steps before it, or
the certificate is refused with one sentence. A formula is a list that begins with its head, such as ["+", ["s", "x"],
["q", "1"]]; a statement speaks of all points at which its givens hold and its sides have values.

- `errors`: the one refusal.
- `budget`: work is counted before it is done, and bounded.
- `load`: data become formulas and numbers, or are refused.
- `terms`: derivatives and substitutions are carried out, and hyperbolic functions written in exponentials.
- `conditions`: where a formula has a value, and the sign that it shows at a glance.
- `balls`: values at exact points, as rational numbers or in balls around them.
- `statements`: symbols, givens, exact points, and that a statement is about something.
- `shapes`: what statements, their evidence and things in letters of the table hold, by one table.
- `ring.point`: a refutation, by a point at which the givens hold and the relation certainly fails.
- `ring.polynomials`, `ring`: equations and signs, by polynomials in formulas that have values, and facts about them.
- `ring.line`: facts about polynomials in one letter, by their signs between their roots.
- `words.indexed`: sums of products of entries in one normal form, and their values on exact arrays.
- `words.values`: what formulas about matrices and sums come to.
- `words.claims`: their equations, shown or refuted.
- `words.orders`: inequalities between matrices, by pieces that are never negative.
- `slots`, `theorems`: lines of the table of theorems, with things in the place of their letters.
- `limits.forms`, `limits`: limits, by formulas that are continuous in quantities that go to zero.
- `table.named.numbers`, `table.named.statements`, `table.named.integrals`, `table.named.matrices`, `table.named`: what
  formulas in lines cannot say.
- `table`, `table.by`: statements that lines of the table conclude, and their hypotheses, which are shown.
- `table.integrals`: integrals in balls, and relations between them that fail.
- `table.boxes`: bounds of formulas, and of integrals, over a box.
- `table.averages.products`, `table.averages.lines`, `table.averages`: Gaussian averages, line by line of their table.
- `table.structure`: statements made of several, and the contrary of one.

`derivations/recheck/ways.py` says which of these concludes what, and `derivations/recheck/check.py` is the one door.
"""
