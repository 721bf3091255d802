(* Sums of products of entries, in one normal form: matrices of any size and sums of any range.

   A formula names entries of letters by indices, and sums over indices; a product of matrices is a sum of products of
   entries like any other. [normal] multiplies a formula out into terms, [same] compares two terms up to the names of
   their summed indices, and [agree] is the theorem for which all this is here: two formulas whose difference, after
   steps that are zero by how they are built, cancels term by term have the same value. Everything that is searched for
   (how one term becomes another) is checked afterwards, so that only the checks had to be proved correct. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.
Arguments Qred : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.

(* Formulas: an index is the place of its value in a list, the last summed index first. *)
Inductive formula :=
  | Num of Q
  | At of nat & seq nat       (* the entry of a letter, given by its number, at indices *)
  | Delta of nat & nat
  | Add of formula & formula
  | Mul of formula & formula
  | Sum of nat & formula      (* over a range, given by its number *)
  | Ren of seq nat & formula  (* what the formula calls its k-th index is our index of the k-th number *)
  | Basis of nat & formula.   (* the letter is 1 at our indices, and 0 elsewhere *)

Definition Neg a := Mul (Num (Qmake (-1) 1)) a.

Section Meaning.
Variables (R : ringType) (num : Q -> R) (dim : nat -> nat).
Definition letters := nat -> seq nat -> R.

Definition basis (env : letters) (l : nat) (place : seq nat) : letters :=
  fun l' is' => if l' == l then (is' == place)%:R else env l' is'.

Definition read (rho s : seq nat) := [seq nth 0%N rho i | i <- s].

Fixpoint val (env : letters) (rho : seq nat) (e : formula) : R :=
  match e with
  | Num q => num q
  | At l s => env l (read rho s)
  | Delta i j => (nth 0%N rho i == nth 0%N rho j)%:R
  | Add a b => val env rho a + val env rho b
  | Mul a b => val env rho a * val env rho b
  | Sum r a => \sum_(k < dim r) val env (nat_of_ord k :: rho) a
  | Ren s a => val env (read rho s) a
  | Basis l a => val (basis env l rho) [::] a
  end.
End Meaning.

(* Rational coefficients, which the machine can compute with. *)
Section Coefficients.
Variable F : numFieldType.
Definition integer (z : Z) : F :=
  match z with Z0 => 0 | Zpos p => (Pos.to_nat p)%:R | Zneg p => - (Pos.to_nat p)%:R end.
Definition rational (q : Q) : F := integer (Qnum q) / integer (Zpos (Qden q)).

Lemma integer_pos p : integer (Zpos p) != 0.
Proof. by rewrite /= Num.Theory.pnatr_eq0; case: (Pos.to_nat p) (Pos2Nat.is_pos p) => // /Nat.nlt_0_r. Qed.

Lemma integer_sub p q : integer (Z.pos_sub p q) = integer (Zpos p) - integer (Zpos q).
Proof.
rewrite Z.pos_sub_spec /=; case: Pos.compare_spec => [->|H|H] /=; first by rewrite subrr.
  rewrite Pos2Nat.inj_sub // -[in RHS]opprB; congr (- _); rewrite -natrB //.
  by apply/leP/Nat.lt_le_incl; apply/Pos2Nat.inj_lt.
by rewrite Pos2Nat.inj_sub // -natrB //; apply/leP/Nat.lt_le_incl; apply/Pos2Nat.inj_lt.
Qed.

Lemma integer_add a b : integer (Z.add a b) = integer a + integer b.
Proof.
case: a b => [|a|a] [|b|b] //=; rewrite ?add0r ?addr0 // ?integer_sub //=.
- by rewrite Pos2Nat.inj_add natrD.
- by rewrite addrC.
by rewrite Pos2Nat.inj_add natrD opprD.
Qed.

Lemma integer_mul a b : integer (Z.mul a b) = integer a * integer b.
Proof.
by case: a b => [|a|a] [|b|b] //=; rewrite ?mul0r ?mulr0 // ?mulrNN ?mulrN ?mulNr // Pos2Nat.inj_mul natrM.
Qed.

Lemma rational_add a b : rational (Qplus a b) = rational a + rational b.
Proof.
rewrite /rational /Qplus [Qnum (Qmake _ _)]/= [Qden (Qmake _ _)]/= Pos2Z.inj_mul integer_add !integer_mul.
by rewrite addf_div ?integer_pos.
Qed.

Lemma rational_mul a b : rational (Qmult a b) = rational a * rational b.
Proof.
by rewrite /rational /Qmult [Qnum (Qmake _ _)]/= [Qden (Qmake _ _)]/= Pos2Z.inj_mul !integer_mul mulf_div.
Qed.

Lemma rational_eq a b : Qeq_bool a b -> rational a = rational b.
Proof.
move/Qeq_bool_eq; rewrite /Qeq /rational => E; apply/eqP.
by rewrite eqr_div ?integer_pos // -!integer_mul E Z.mul_comm.
Qed.

Lemma rational_red q : rational (Qred q) = rational q.
Proof. by apply: rational_eq; apply/Qeq_bool_iff; exact: Qred_correct. Qed.

Lemma rational0 : rational (Qmake 0 1) = 0. Proof. by rewrite /rational mul0r. Qed.
Lemma rational1 : rational (Qmake 1 1) = 1. Proof. by rewrite /rational /= divr1. Qed.
Lemma rationalN1 : rational (Qmake (-1) 1) = -1. Proof. by rewrite /rational /= divr1. Qed.
End Coefficients.

(* for lists of terms: fractions are compared as they are written *)
Lemma same_fraction : comparable Q.
Proof. move=> p q; rewrite /decidable; decide equality; [exact: Pos.eq_dec | exact: Z.eq_dec]. Defined.
Canonical Q_eqType := EqType Q (comparableMixin same_fraction).

(* Symbols for indices, with their ranges; the index of a range of one element is a constant. *)
Inductive symbol := Constant | Free of nat & nat | Bound of nat & nat.
Definition code x := match x with Constant => (0, 0, 0) | Free n r => (1, n, r) | Bound n r => (2, n, r) end%N.
Definition decode c :=
  match c with (O, _, _) => Constant | (S O, n, r) => Free n r | (_, n, r) => Bound n r end.
Lemma codeK : cancel code decode. Proof. by case. Qed.
Definition symbol_eqMixin := CanEqMixin codeK.
Canonical symbol_eqType := EqType symbol symbol_eqMixin.
Definition range x := match x with Constant => 0 | Free _ r => r | Bound _ r => r end%N.

(* A factor is a delta (0) or a letter (its successor) at symbols; a term has the ranges of its summed indices. *)
Definition factor := (nat * seq symbol)%type.
Definition term := (Q * seq nat * seq factor)%type.
Definition delta x y : factor := (0%N, [:: x; y]).
Definition along (g : symbol -> symbol) (fs : seq factor) : seq factor := [seq (f.1, map g f.2) | f <- fs].

Section Terms.
Variables (F : numFieldType) (dim : nat -> nat) (env : letters F).
Hypothesis dim0 : dim 0 = 1%N.
Notation rational := (rational F).

Definition at_ (phi : nat -> nat) (a : seq nat) (x : symbol) : nat :=
  match x with Constant => 0 | Free n _ => phi n | Bound n _ => nth 0 a n end%N.

Definition entry phi a (f : factor) : F :=
  match f with
  | (O, s) => (at_ phi a (nth Constant s 0) == at_ phi a (nth Constant s 1))%:R
  | (S l, s) => env l [seq at_ phi a x | x <- s]
  end.

Definition grid (rs : seq nat) : seq (seq nat) :=
  foldr (fun r g => [seq k :: a | k <- iota 0 (dim r), a <- g]) [:: [::]] rs.

Definition whole phi (rs : seq nat) (fs : seq factor) : F := \sum_(a <- grid rs) \prod_(f <- fs) entry phi a f.
Definition value phi (t : term) : F := rational t.1.1 * whole phi t.1.2 t.2.
Definition total phi (ts : seq term) : F := \sum_(t <- ts) value phi t.

(* every summed index is one of the term's *)
Definition inside n (x : symbol) := if x is Bound k _ then (k < n)%N else true.
Definition closed (t : term) := all (fun f => all (inside (size t.1.2)) f.2) t.2.

Lemma grid_cat rs ss : grid (rs ++ ss) = [seq a ++ b | a <- grid rs, b <- grid ss].
Proof.
elim: rs => [|r rs IH] /=; first by rewrite cats0 map_id.
rewrite IH; elim: (iota 0 (dim r)) => //= k ks ->; rewrite map_cat flatten_cat; congr (_ ++ _).
rewrite map_flatten -!map_comp; congr flatten; by apply: eq_map => a /=; rewrite -map_comp.
Qed.

Lemma grid_size rs a : a \in grid rs -> size a = size rs.
Proof. by elim: rs a => [|r rs IH] a /=; [rewrite inE => /eqP -> | case/allpairsP => -[k b] /= [_ /IH <- ->]]. Qed.

Lemma mem_grid rs a :
  (a \in grid rs) = (size a == size rs) && all (fun p => (nth 0%N a p < dim (nth 0%N rs p))%N) (iota 0 (size rs)).
Proof.
elim: rs a => [|r rs IH] [|k a] //=; first by apply/negbTE/negP; case/allpairsP => -[j b] /= [_ _].
rewrite eqSS; transitivity ((k < dim r)%N && (a \in grid rs)).
  apply/allpairsP/andP => [[[j b] /= [Hj Hb [-> ->]]]|[Hk Ha]]; first by rewrite mem_iota in Hj.
  by exists (k, a); rewrite mem_iota.
rewrite IH -(addn0 1%N) iotaDl all_map andbCA; congr (_ && _).
Qed.

Lemma grid_uniq rs : uniq (grid rs).
Proof.
elim: rs => //= r rs IH; apply: allpairs_uniq => //; first exact: iota_uniq.
by move=> [k a] [j b] _ _ /= [-> ->].
Qed.

Lemma entry_ext phi psi a b f g :
  f.1 = g.1 -> map (at_ phi a) f.2 = map (at_ psi b) g.2 -> entry phi a f = entry psi b g.
Proof.
case: f g => [[|l] s] [k t] /= <- //= E; last by rewrite E.
have S : size s = size t by rewrite -(size_map (at_ phi a)) E size_map.
have H i : at_ phi a (nth Constant s i) = at_ psi b (nth Constant t i).
  case: (ltnP i (size s)) => L; last by rewrite !nth_default // -S.
  by rewrite -(nth_map Constant 0%N) // E (nth_map Constant) // -S.
by rewrite !H.
Qed.

Lemma prod_along phi psi a b g (fs : seq factor) :
  (forall f x, f \in fs -> x \in f.2 -> at_ psi b (g x) = at_ phi a x) ->
  \prod_(f <- along g fs) entry psi b f = \prod_(f <- fs) entry phi a f.
Proof.
move=> H; rewrite big_map; apply: eq_big_seq => f Hf; apply: entry_ext => //=.
by rewrite -map_comp; apply/eq_in_map => x Hx; exact: (H f).
Qed.

(* products *)
Definition shifted n x := if x is Bound k r then Bound (n + k) r else x.
Definition times (s t : term) : term :=
  (Qred (Qmult s.1.1 t.1.1), s.1.2 ++ t.1.2, s.2 ++ along (shifted (size s.1.2)) t.2).

Lemma times_closed s t : closed s -> closed t -> closed (times s t).
Proof.
move=> Hs Ht; rewrite /closed all_cat size_cat /=; apply/andP; split.
  apply/allP => f /(allP Hs) /allP H; apply/allP => x /H; case: x => //= k r L; exact: ltn_addr.
apply/allP => f /mapP [g Hg ->] /=; apply/allP => x /mapP [y Hy ->].
by move/allP: Ht => /(_ g Hg) /allP /(_ y Hy); case: y {Hy} => //= k r; rewrite ltn_add2l.
Qed.

Lemma times_value phi s t : closed s -> value phi (times s t) = value phi s * value phi t.
Proof.
case: s t => -[c rs] fs [[d ss] gs] Hs.
rewrite -[LHS]/(rational (Qred (Qmult c d)) * whole phi (rs ++ ss) (fs ++ along (shifted (size rs)) gs)).
rewrite rational_red rational_mul /value [RHS]mulrACA; congr (_ * _).
rewrite /whole grid_cat big_allpairs_dep /= big_distrlr /=.
apply: eq_big_seq => a Ha; apply: eq_bigr => b _; rewrite big_cat /=; congr (_ * _).
  apply: eq_big_seq => f Hf; apply: entry_ext => //; apply/eq_in_map => x Hx.
  move/allP: Hs => /(_ f Hf) /allP /(_ x Hx); case: x {Hx} => //= k r L; by rewrite nth_cat (grid_size Ha) L.
apply: prod_along => f x _ _; case: x => //= k r.
by rewrite nth_cat (grid_size Ha) ltnNge leq_addr /= addKn.
Qed.

(* sums: an index that a delta makes equal to a known one is that one; others are bound *)
Definition trivial (f : factor) := (f.1 == 0%N) && (nth Constant f.2 0 == nth Constant f.2 1).
Definition put n y x := if x is Free m _ then (if m == n then y else x) else x.
Definition take_in n r x :=
  match x with Constant => x | Free m _ => if m == n then Bound 0 r else x | Bound k s => Bound k.+1 s end.
Definition partner n r (scope : seq symbol) (f : factor) : seq symbol :=
  if f is (O, [:: x; y]) then
    (if (x == Free n r) && (y \in scope) && (range y == r) then [:: y] else
     if (y == Free n r) && (x \in scope) && (range x == r) then [:: x] else [::])
  else [::].
Definition close n r scope (t : term) : term :=
  if flatten (map (partner n r scope) t.2) is y :: _
  then (t.1.1, t.1.2, [seq f <- along (put n y) t.2 | ~~ trivial f])
  else (t.1.1, r :: t.1.2, along (take_in n r) t.2).

Definition set (phi : nat -> nat) n k : nat -> nat := fun m => if m == n then k else phi m.
(* a symbol that stands for a number in its range, and does so whatever the indices from the n-th on are *)
Definition good n phi x :=
  match x with Constant => true | Free m r => (m < n)%N && (phi m < dim r)%N | Bound _ _ => false end.

Lemma good_at n phi x a b : good n phi x -> at_ phi a x = at_ phi b x. Proof. by case: x. Qed.
Lemma good_range n phi x a : good n phi x -> (at_ phi a x < dim (range x))%N.
Proof. by case: x => //= [_|m r /andP [] //]; rewrite dim0. Qed.
Lemma good_set n phi x k : good n phi x -> good n.+1 (set phi n k) x.
Proof.
by case: x => //= m r /andP [L H]; rewrite (ltn_trans L) //= /set; case: eqP L => // ->; rewrite ltnn.
Qed.
Lemma at_set n phi x a k : good n phi x -> at_ (set phi n k) a x = at_ phi a x.
Proof. by case: x => //= m r /andP [L _]; rewrite /set; case: eqP L => // ->; rewrite ltnn. Qed.

Lemma drop_trivial phi a fs :
  \prod_(f <- [seq f <- fs | ~~ trivial f]) entry phi a f = \prod_(f <- fs) entry phi a f.
Proof.
rewrite big_filter big_mkcond; apply: eq_bigr => f _; case: ifP => //= /negbFE /andP [].
by case: f => -[|l] s //= _ /eqP ->; rewrite eqxx.
Qed.

Lemma close_closed n r scope t : all (inside 0) scope ->
  closed t -> closed (close n r scope t).
Proof.
move=> /allP Hs Ht; rewrite /close; case E: (flatten _) => [|y ys].
  apply/allP => f /mapP [g Hg ->]; apply/allP => x /mapP [z Hz ->] /=.
  by move/allP: Ht => /(_ g Hg) /allP /(_ z Hz); case: z {Hz} => //= m s; case: eqP.
have Hy : y \in scope.
  have : y \in flatten (map (partner n r scope) t.2) by rewrite E inE eqxx.
  case/flattenP => s /mapP [f _ ->]; rewrite /partner; case: f => -[|//] [|x [|z []]] //.
  by case: ifP => [/andP [/andP [_ K] _]|_]; [rewrite inE => /eqP -> |
     case: ifP => [/andP [/andP [_ K] _]|//]; rewrite inE => /eqP ->].
apply/allP => f; rewrite mem_filter => /andP [_ /mapP [g Hg ->]]; apply/allP => x /mapP [z Hz ->] /=.
move/allP: Ht => /(_ g Hg) /allP /(_ z Hz); case: z {Hz} => //= m s; case: eqP => // _ _.
by move/Hs: Hy; case: y {E}.
Qed.

Lemma close_value n r scope phi t : all (good n phi) scope ->
  value phi (close n r scope t) = \sum_(k < dim r) value (set phi n k) t.
Proof.
move=> /allP Hs; rewrite /close; case E: (flatten _) => [|y ys]; rewrite /value -big_distrr /=; congr (_ * _).
  rewrite /whole /= big_allpairs_dep /= (_ : iota 0 (dim r) = index_iota 0 (dim r)) ?big_mkord /index_iota ?subn0 //.
  apply: eq_bigr => k _; apply: eq_bigr => a _; apply: prod_along => f x _ _.
  by case: x => //= m s; rewrite /set; case: eqP.
have : y \in flatten (map (partner n r scope) t.2) by rewrite E inE eqxx.
case/flattenP => s /mapP [f Hf ->] Hy {E ys s}.
have [Gy Ry Df] : [/\ good n phi y, range y = r
    & forall k a, entry (set phi n k) a f = (k == at_ phi a y)%:R].
  move: Hy; rewrite /partner; case: f Hf => -[|//] [|x [|z []]] // Hf.
  case: ifP => [/andP [/andP [/eqP -> K] /eqP R]|_].
    rewrite inE => /eqP ->; split=> //; first exact: Hs.
    by move=> k a /=; rewrite (at_set _ _ (Hs _ K)) /set eqxx.
  case: ifP => [/andP [/andP [/eqP -> K] /eqP R]|//].
  rewrite inE => /eqP ->; split=> //; first exact: Hs.
  by move=> k a /=; rewrite (at_set _ _ (Hs _ K)) /set eqxx eq_sym.
have Ly := good_range [::] Gy; rewrite Ry in Ly.
rewrite (bigD1 (Ordinal Ly)) //= [X in _ = _ + X]big1 ?addr0; last first.
  move=> k Hk; rewrite /whole big1 // => a _; rewrite (big_rem f) //= Df (good_at a [::] Gy).
  suff -> : (nat_of_ord k == at_ phi [::] y) = false by rewrite mul0r.
  by apply/negbTE.
rewrite /whole; apply: eq_bigr => a _; rewrite drop_trivial; apply: prod_along => g x _ _.
by case: x => //= m q; rewrite /set; case: eqP => //= _; exact: good_at Gy.
Qed.

(* formulas multiplied out *)
Definition fetch T (l : nat) (xs : seq (nat * T)) : option T := ohead [seq x.2 | x <- xs & x.1 == l].
Definition fill (t : seq symbol) x := if x is Free k _ then nth Constant t k else x.
Definition instance (t : seq symbol) (u : term) : term := (u.1, along (fill t) u.2).
Definition one : Q := Qmake 1 1.
Definition scope_of rho (bas : seq (nat * seq symbol)) : seq symbol := rho ++ flatten [seq b.2 | b <- bas].
Definition normals := seq (nat * (seq nat * seq term)).

Fixpoint normal (defs : normals) bas n rho e : seq term :=
  match e with
  | Num q => if Qeq_bool q (Qmake 0 1) then [::] else [:: (q, [::], [::])]
  | At l s =>
      let t := [seq nth Constant rho i | i <- s] in
      let itself := [:: (one, [::], [:: (l.+1, t)])] in
      match fetch l bas, fetch l defs with
      | Some u, _ => if size t == size u then [:: (one, [::], [seq delta x.1 x.2 | x <- zip t u])] else [::]
      | None, Some (rs, ts) => if map range t == rs then map (instance t) ts else itself
      | None, None => itself
      end
  | Delta i j => [:: (one, [::], [:: delta (nth Constant rho i) (nth Constant rho j)])]
  | Add a b => normal defs bas n rho a ++ normal defs bas n rho b
  | Mul a b => [seq times s t | s <- normal defs bas n rho a, t <- normal defs bas n rho b]
  | Sum r a =>
      if r is O then normal defs bas n (Constant :: rho) a
      else map (close n r (scope_of rho bas)) (normal defs bas n.+1 (Free n r :: rho) a)
  | Ren s a => normal defs bas n [seq nth Constant rho i | i <- s] a
  | Basis l a => normal defs ((l, rho) :: bas) n [::] a
  end.

Definition fits (place rs : seq nat) := all2 (fun i r => i < dim r)%N place rs.
Definition normal_forms (defs : normals) := forall l d, fetch l defs = Some d ->
  all closed d.2 /\ forall place, fits place d.1 -> env l place = total (nth 0%N place) d.2.
Definition within phi (bas : seq (nat * seq symbol)) : letters F :=
  foldr (fun b env' => basis env' b.1 (map (at_ phi [::]) b.2)) env bas.

Lemma within_fetch phi bas l place :
  within phi bas l place = if fetch l bas is Some u then (place == map (at_ phi [::]) u)%:R else env l place.
Proof.
elim: bas => //= -[m u] bas IH; rewrite /basis /fetch /= eq_sym; case: eqP => //= _; exact: IH.
Qed.

Lemma at_nth phi a t k : at_ phi a (nth Constant t k) = nth 0%N (map (at_ phi a) t) k.
Proof.
case: (ltnP k (size t)) => H; first by rewrite (nth_map Constant).
by rewrite nth_default // nth_default ?size_map.
Qed.

Lemma read_symbols phi a rho s :
  map (at_ phi a) [seq nth Constant rho i | i <- s] = read (map (at_ phi a) rho) s.
Proof. by rewrite -map_comp; apply: eq_map => i /=; exact: at_nth. Qed.

Lemma good_nth n phi rho s : all (good n phi) rho -> all (good n phi) [seq nth Constant rho i | i <- s].
Proof.
move=> /allP H; apply/allP => x /mapP [i _ ->].
by case: (ltnP i (size rho)) => L; [apply: H; exact: mem_nth | rewrite nth_default].
Qed.

Lemma inside_nth rho s : all (inside 0) rho -> all (inside 0) [seq nth Constant rho i | i <- s].
Proof.
move=> /allP H; apply/allP => x /mapP [i _ ->].
by case: (ltnP i (size rho)) => L; [apply: H; exact: mem_nth | rewrite nth_default].
Qed.

Lemma map_at n phi a b t : all (good n phi) t -> map (at_ phi a) t = map (at_ phi b) t.
Proof. by move=> /allP H; apply/eq_in_map => x /H G; exact: good_at G. Qed.

Lemma map_set n phi k t : all (good n phi) t -> map (at_ (set phi n k) [::]) t = map (at_ phi [::]) t.
Proof. by move=> /allP H; apply/eq_in_map => x /H G; exact: at_set G. Qed.

Lemma good_more n phi k t : all (good n phi) t -> all (good n.+1 (set phi n k)) t.
Proof. by move=> /allP H; apply/allP => x /H G; exact: good_set. Qed.

Lemma good_fits n phi t : all (good n phi) t -> fits (map (at_ phi [::]) t) (map range t).
Proof. by rewrite /fits; elim: t => //= x t IH /andP [G /IH ->]; rewrite (good_range _ G). Qed.

Lemma instance_value n phi t u : all (good n phi) t ->
  value phi (instance t u) = value (nth 0%N (map (at_ phi [::]) t)) u.
Proof.
move=> G; rewrite /value; congr (_ * _); apply: eq_bigr => a _; apply: prod_along => f x _ _.
by case: x => //= m _; rewrite at_nth (map_at a [::] G).
Qed.

Lemma instance_closed t u : all (inside 0) t -> closed u -> closed (instance t u).
Proof.
move=> G H; apply/allP => f /mapP [g Hg ->]; apply/allP => x /mapP [y Hy ->] /=.
move/allP: H => /(_ g Hg) /allP /(_ y Hy); case: y {Hy} => //= m _ _.
by have := inside_nth [:: m] G; rewrite /= andbT; case: (nth Constant t m).
Qed.

Lemma total_one phi c fs : total phi [:: (c, [::], fs)] = rational c * \prod_(f <- fs) entry phi [::] f.
Proof. by rewrite /total big_seq1 /value /whole /= big_seq1. Qed.

Lemma deltas phi t u : size t = size u ->
  \prod_(f <- [seq delta x.1 x.2 | x <- zip t u]) entry phi [::] f
  = (map (at_ phi [::]) t == map (at_ phi [::]) u)%:R.
Proof.
elim: t u => [|x t IH] [|y u] //=; first by rewrite big_nil.
by case=> /IH E; rewrite big_cons E /= eqseq_cons; case: eqP; rewrite ?mul0r ?mul1r.
Qed.

Lemma deltas_closed t u : all (inside 0) t -> all (inside 0) u ->
  closed (one, [::], [seq delta x.1 x.2 | x <- zip t u]).
Proof.
rewrite /closed /=; elim: t u => [|x t IH] [|y u] //= /andP [-> Ht] /andP [-> Hu] /=; exact: IH.
Qed.

Lemma scope_all P rho bas :
  all P (scope_of rho bas) = all P rho && all (fun b => all P b.2) bas.
Proof. by rewrite all_cat; congr (_ && _); elim: bas => //= b bas <-; rewrite all_cat. Qed.

Lemma within_set n phi k bas : all (fun b => all (good n phi) b.2) bas ->
  within (set phi n k) bas = within phi bas.
Proof. by elim: bas => //= b bas IH /andP [G /IH ->]; rewrite (map_set _ G). Qed.

Lemma fetch_in T l (xs : seq (nat * T)) y (P : T -> bool) : fetch l xs = Some y -> all (fun x => P x.2) xs -> P y.
Proof.
rewrite /fetch; elim: xs => //= x xs IH; case: eqP => _ /=; first by case=> <- /andP [].
by move=> E /andP [_]; exact: IH.
Qed.

Lemma normal_closed defs : normal_forms defs -> forall e n bas rho, all (inside 0) (scope_of rho bas) ->
  all closed (normal defs bas n rho e).
Proof.
move=> D; elim=> [q|l s|i j|a IHa b IHb|a IHa b IHb|r a IH|s a IH|l a IH] n bas rho G /=.
- by case: ifP.
- have /andP [Gr Gb] := etrans (esym (scope_all _ _ _)) G.
  have It := inside_nth s Gr; set t := [seq _ | _ <- s] in It *.
  have Self : all closed [:: (one, [::], [:: (l.+1, t)])] by rewrite /closed /= !andbT.
  case Fb: (fetch l bas) => [u|]; last first.
    case Fd: (fetch l defs) => [[rs ts]|]; last exact: Self.
    case: ifP => _; last exact: Self.
    apply/allP => x /mapP [y Hy ->]; apply: (instance_closed It); exact: (allP (proj1 (D _ _ Fd))).
  have Iu : all (inside 0) u := fetch_in Fb Gb.
  by case: eqP => //= _; rewrite andbT; exact: deltas_closed.
- have /andP [Gr _] := etrans (esym (scope_all _ _ _)) G.
  by have := inside_nth [:: i; j] Gr; rewrite /closed /= !andbT.
- by rewrite all_cat IHa ?IHb.
- apply/allP => x /allpairsP [[s t] [/= Hs Ht ->]].
  by apply: times_closed; [apply: (allP (IHa n _ _ G)) | apply: (allP (IHb n _ _ G))].
- case: r => [|r]; first exact: IH.
  apply/allP => x /mapP [t Ht ->]; apply: (close_closed _ _ G); by apply: (allP (IH n.+1 bas (Free n r.+1 :: rho) _)).
- by apply: IH; move: G; rewrite !scope_all => /andP [Gr ->]; rewrite inside_nth.
- by apply: IH; move: G; rewrite !scope_all /= => /andP [-> ->].
Qed.

Lemma good_inside n phi xs : all (good n phi) xs -> all (inside 0) xs.
Proof. by apply: sub_all => -[]. Qed.

Lemma val_normal defs : normal_forms defs -> forall e n phi bas rho, all (good n phi) (scope_of rho bas) ->
  val rational dim (within phi bas) (map (at_ phi [::]) rho) e = total phi (normal defs bas n rho e).
Proof.
move=> D; elim=> [q|l s|i j|a IHa b IHb|a IHa b IHb|r a IH|s a IH|l a IH] n phi bas rho G.
- rewrite /=; case: ifP => E; last by rewrite total_one big_nil mulr1.
  by rewrite /total big_nil (rational_eq _ E) rational0.
- have /andP [Gr Gb] := etrans (esym (scope_all _ _ _)) G.
  have Gt := good_nth s Gr; rewrite /= within_fetch -read_symbols; set t := [seq _ | _ <- s] in Gt *.
  have Self : env l (map (at_ phi [::]) t) = total phi [:: (one, [::], [:: (l.+1, t)])].
    by rewrite total_one rational1 mul1r big_seq1.
  case Fb: (fetch l bas) => [u|]; last first.
    case Fd: (fetch l defs) => [[rs ts]|] //; case: eqP => // E; rewrite -E in Fd.
    have [_ Vd] := D _ _ Fd; rewrite (Vd _ (good_fits Gt)) /total big_map.
    by apply: eq_bigr => y _; rewrite (instance_value _ Gt).
  case: (size t =P size u) => Z; last first.
    rewrite /total big_nil; case: eqP => // E; case: Z.
    by rewrite -(size_map (at_ phi [::]) t) E size_map.
  by rewrite total_one rational1 mul1r (deltas _ Z).
- by rewrite /= total_one rational1 mul1r big_seq1 /= -!at_nth.
- by rewrite /= (IHa _ _ _ _ G) (IHb _ _ _ _ G) /total big_cat.
- have Ca := normal_closed D a n (good_inside G).
  rewrite /= (IHa _ _ _ _ G) (IHb _ _ _ _ G) /total big_allpairs_dep /= big_distrlr /= [LHS]big_seq [RHS]big_seq.
  apply: eq_bigr => s Hs; apply: eq_bigr => t _; rewrite times_value //; exact: (allP Ca).
- case: r => [|r]; rewrite [normal _ _ _ _ _]/= [val _ _ _ _ _]/=.
    by rewrite dim0 big_ord1 -(IH n phi bas (Constant :: rho)).
  rewrite /total big_map (eq_bigr _ (fun t _ => close_value r.+1 t G)) exchange_big /=.
  apply: eq_bigr => k _; rewrite -/(total _ _) -IH /=; last first.
    by rewrite ltnSn /set eqxx ltn_ord; exact: good_more.
  have -> : set phi n k n = k by rewrite /set eqxx.
  move: G; rewrite scope_all => /andP [Gr Gb].
  by rewrite (map_set _ Gr) (within_set _ Gb).
- have H : all (good n phi) (scope_of [seq nth Constant rho i | i <- s] bas).
    by move: G; rewrite !scope_all => /andP [Gr ->]; rewrite good_nth.
  by rewrite /= -read_symbols (IH n).
- by rewrite /= -(IH n phi ((l, rho) :: bas) [::]) //; move: G; rewrite !scope_all /= => /andP [-> ->].
Qed.

(* letters that are defined by formulas, in an order in which each needs only those before it *)
Definition definition := (nat * (seq nat * formula))%type.
Definition start (rs : seq nat) := [seq if r.2 is O then Constant else Free r.1 r.2 | r <- zip (iota 0 (size rs)) rs].
Definition defined (d : definition) := forall place, fits place d.2.1 -> env d.1 place = val rational dim env place d.2.2.
Fixpoint all_defined (ds : seq definition) := if ds is d :: ds' then defined d /\ all_defined ds' else True.
Definition multiplied_out (defs : normals) (rs : seq nat) e := normal defs [::] (size rs) (start rs) e.
Definition known (ds : seq definition) : normals :=
  foldl (fun defs d => (d.1, (d.2.1, multiplied_out defs d.2.1 d.2.2)) :: defs) [::] ds.

Lemma start_at place rs : fits place rs ->
  map (at_ (nth 0%N place) [::]) (start rs) = place /\ all (good (size rs) (nth 0%N place)) (start rs).
Proof.
move=> H; have S : size place = size rs.
  by move: H; rewrite /fits; elim: place rs => [|i p IH] [|r rs] //= /andP [_ /IH ->].
have P k : (k < size rs)%N -> (nth 0 place k < dim (nth 0 rs k))%N.
  move: H; rewrite /fits; elim: place rs {S} k => [|i p IH] [|r rs] //= [|k] /andP [L H'] //=; exact: IH.
have E k : (k < size rs)%N -> nth Constant (start rs) k = if nth 0%N rs k is O then Constant else Free k (nth 0%N rs k).
  move=> L; rewrite (nth_map (0, 0)%N) ?size_zip ?size_iota ?minnn // nth_zip ?size_iota //= nth_iota //.
have Z : size (start rs) = size rs by rewrite size_map size_zip size_iota minnn.
split.
  apply: (@eq_from_nth _ 0%N); first by rewrite size_map Z.
  move=> k; rewrite size_map Z => L; rewrite (nth_map Constant) ?Z // E //.
  by have := P k L; case: (nth 0%N rs k) => //=; rewrite dim0; case: (nth 0%N place k).
apply/(all_nthP Constant) => k; rewrite Z => L; rewrite E //.
by have := P k L; case: (nth 0%N rs k) => //= r ->; rewrite L.
Qed.

Lemma multiplied defs rs place e : normal_forms defs -> fits place rs ->
  val rational dim env place e = total (nth 0%N place) (multiplied_out defs rs e).
Proof.
move=> D H; have [E G] := start_at H.
by rewrite -(val_normal D e (bas := [::])) /= ?E // /scope_of cats0.
Qed.

Lemma known_forms ds : all_defined ds -> normal_forms (known ds).
Proof.
rewrite /known; have : normal_forms [::] by [].
elim: ds [::] => //= d ds IH defs D [Hd /(IH _) H]; apply: H => l x.
rewrite /fetch /=; case: eqP => [<- [<-]|_]; last exact: D.
split=> /=; last by move=> place P; rewrite Hd // -multiplied.
apply: (normal_closed D); rewrite /scope_of cats0; apply/allP => y /mapP [[k r] _ ->] /=; by case: r.
Qed.

(* deltas between known indices: of two equal ones the first is written *)
Definition before x y :=
  let: (k, n, _) := code x in let: (k', n', _) := code y in ((k < k') || ((k == k') && (n < n')))%N.
Definition swap y x z := if z == y then x else z : symbol.
Fixpoint merged fuel (done todo : seq factor) : seq factor :=
  match fuel, todo with
  | S fuel, f :: todo' =>
      if f is (O, [:: x; y]) then
        if x == y then merged fuel done todo' else
        if before y x then merged fuel (delta y x :: along (swap x y) done) (along (swap x y) todo')
        else merged fuel (delta x y :: along (swap y x) done) (along (swap y x) todo')
      else merged fuel (f :: done) todo'
  | _, _ => done ++ todo
  end.

Lemma swap_value phi a x y fs :
  entry phi a (delta x y) * \prod_(f <- along (swap y x) fs) entry phi a f
  = entry phi a (delta x y) * \prod_(f <- fs) entry phi a f.
Proof.
rewrite /=; case: eqP => [E|_]; rewrite ?mul0r // !mul1r; apply: prod_along => f z _ _.
by rewrite /swap; case: eqP => // ->.
Qed.

Lemma merged_value phi a fuel done todo :
  \prod_(f <- merged fuel done todo) entry phi a f = \prod_(f <- done ++ todo) entry phi a f.
Proof.
elim: fuel done todo => [|fuel IH] done [|f todo] //.
have Plain : \prod_(g <- merged fuel (f :: done) todo) entry phi a g = \prod_(g <- done ++ f :: todo) entry phi a g.
  by rewrite IH /= big_cons !big_cat /= big_cons mulrCA.
case: f Plain => -[|l] [|x [|y [|z s]]] Plain //=; case: eqP => [<-|_].
  by rewrite IH !big_cat /= big_cons /= eqxx mul1r.
have H u v : \prod_(g <- merged fuel (delta u v :: along (swap v u) done) (along (swap v u) todo)) entry phi a g
    = entry phi a (delta u v) * \prod_(g <- done ++ todo) entry phi a g.
  by rewrite IH /= big_cons -[X in _ * X]/(\prod_(g <- _ ++ _) _) -map_cat swap_value.
case: ifP => _; rewrite H !big_cat /= big_cons mulrCA //.
by rewrite /= eq_sym.
Qed.

(* two terms are the same if one becomes the other by other names for summed indices *)
Section Comparison.
Variable symmetric : seq nat.
Hypothesis symmetricP : forall l, l \in symmetric -> forall i j, env l [:: i; j] = env l [:: j; i].

Definition turned (f : factor) : factor :=
  if f is (S l, [:: x; y]) then (if (l \in symmetric) && before y x then (S l, [:: y; x]) else f) else f.

Lemma entry_turned phi a f : entry phi a (turned f) = entry phi a f.
Proof.
by case: f => -[|l] [|x [|y []]] //=; case: ifP => //= /andP [S _]; rewrite (symmetricP S).
Qed.

Definition move (names : seq nat) x := if x is Bound p r then Bound (nth 0%N names p) r else x.
Definition renames names (t u : term) :=
  let n := size t.1.2 in
  [&& closed t, size u.1.2 == n, perm_eq names (iota 0 n),
      all (fun p => nth 0 t.1.2 p == nth 0 u.1.2 (nth 0 names p))%N (iota 0 n) &
      perm_eq (map turned (along (move names) t.2)) (map turned u.2)].

Lemma renamed_value phi names t u : renames names t u -> whole phi t.1.2 t.2 = whole phi u.1.2 u.2.
Proof.
case: t u => -[c rs] fs [[d us] gs] /and5P [/= Cl /eqP Su Pn Ra Pf].
have Sn : size names = size rs by rewrite (perm_size Pn) size_iota.
have Mn q : (q < size rs)%N -> q \in names by move=> L; rewrite (perm_mem Pn) mem_iota.
have Nn p : (p < size rs)%N -> (nth 0 names p < size us)%N.
  move=> L; rewrite Su; have : nth 0%N names p \in names by apply: mem_nth; rewrite Sn.
  by rewrite (perm_mem Pn) mem_iota.
have Un : uniq names by rewrite (perm_uniq Pn) iota_uniq.
transitivity (\sum_(a <- [seq read b names | b <- grid us]) \prod_(f <- fs) entry phi a f).
  apply: perm_big; apply: uniq_perm; first exact: grid_uniq.
    rewrite map_inj_in_uniq ?grid_uniq // => a b /grid_size Sa /grid_size Sb E.
    apply: (@eq_from_nth _ 0%N); first by rewrite Sa Sb.
    move=> q; rewrite Sa Su => /Mn Hq; move: (f_equal (fun z => nth 0%N z (index q names)) E).
    by rewrite !(nth_map 0%N) ?index_mem // nth_index.
  move=> a; apply/idP/mapP => [|[b Hb ->]]; last first.
    rewrite mem_grid size_map Sn eqxx /=; apply/allP => p Hp; have L : (p < size rs)%N by rewrite mem_iota in Hp.
    rewrite (nth_map 0%N) ?Sn // (eqP (allP Ra p Hp)); move: Hb; rewrite mem_grid => /andP [_ /allP]; apply.
    by rewrite mem_iota /=; exact: Nn.
  rewrite mem_grid => /andP [/eqP Sa /allP Ha].
  exists (mkseq (fun q => nth 0%N a (index q names)) (size us)); last first.
    apply: (@eq_from_nth _ 0%N); first by rewrite size_map Sn.
    move=> p; rewrite Sa => L; rewrite (nth_map 0%N) ?Sn // nth_mkseq ?Nn // index_uniq // Sn //.
  rewrite mem_grid size_mkseq eqxx /=; apply/allP => q; rewrite mem_iota /= => L.
  rewrite nth_mkseq //; have Hq : q \in names by apply: Mn; rewrite -Su.
  have Hi : index q names \in iota 0 (size rs) by rewrite mem_iota /= -Sn index_mem.
  by have := Ha _ Hi; rewrite (eqP (allP Ra _ Hi)) nth_index.
rewrite /whole big_map; apply: eq_big_seq => b _.
transitivity (\prod_(f <- along (move names) fs) entry phi b f).
  symmetry; apply: prod_along => f x Hf Hx; move/allP: Cl => /(_ f Hf) /allP /(_ x Hx).
  by case: x {Hx} => //= p r L; rewrite (nth_map 0%N) // Sn.
have T hs : \prod_(f <- map turned hs) entry phi b f = \prod_(f <- hs) entry phi b f.
  by rewrite big_map; apply: eq_bigr => f _; exact: entry_turned.
by rewrite -T (perm_big _ Pf) T.
Qed.

(* how to rename is searched for: nothing has to be known of this *)
Definition pairs := seq (nat * nat).
Definition meet x y (names : pairs) : seq pairs :=
  match x, y with
  | Bound p r, Bound q s =>
      if r != s then [::] else
      match fetch p names with
      | Some q' => if q == q' then [:: names] else [::]
      | None => if q \in [seq m.2 | m <- names] then [::] else [:: (p, q) :: names]
      end
  | _, _ => if x == y then [:: names] else [::]
  end.
Fixpoint meets xs ys names : seq pairs :=
  match xs, ys with
  | [::], [::] => [:: names]
  | x :: xs, y :: ys => flatten [seq meets xs ys m | m <- meet x y names]
  | _, _ => [::]
  end.
Definition ways (f g : factor) names : seq pairs :=
  if f.1 != g.1 then [::] else
  meets f.2 g.2 names ++ (if f.1.-1 \in symmetric then meets f.2 (rev g.2) names else [::]).

Fixpoint search (fs gs : seq factor) names : option pairs :=
  if fs is f :: fs' then
    (fix choose tried waiting :=
       if waiting is g :: waiting' then
         match (fix first ws := if ws is w :: ws' then
                   (if search fs' (catrev tried waiting') w is Some s then Some s else first ws')
                 else None) (ways f g names) with
         | Some s => Some s
         | None => choose (g :: tried) waiting'
         end
       else None) [::] gs
  else if gs is [::] then Some names else None.

Definition complete (rs us : seq nat) (names : pairs) : seq nat :=
  let add names p :=
    if fetch p names is Some _ then names else
    let waiting := [seq q <- iota 0 (size us) | (nth 0 us q == nth 0 rs p) && (q \notin [seq m.2 | m <- names])]%N in
    (p, head 0%N waiting) :: names in
  let names := foldl add names (iota 0 (size rs)) in
  [seq odflt 0%N (fetch p names) | p <- iota 0 (size rs)].

Definition alike (t u : term) :=
  if size t.1.2 != size u.1.2 then false else
  if search t.2 u.2 [::] is Some names then renames (complete t.1.2 u.1.2 names) t u else false.

Definition key (t : term) : seq nat := sort leq [seq f.1 | f <- t.2].

(* the first term, and those that are like it, cancel; and so do the others *)
Fixpoint picked (t : seq nat * term) (ts : seq (seq nat * term)) : Q * seq (seq nat * term) :=
  if ts is u :: ts' then
    let: (q, others) := picked t ts' in
    if (u.1 == t.1) && alike u.2 t.2 then (Qred (Qplus u.2.1.1 q), others) else (q, u :: others)
  else (t.2.1.1, [::]).
Fixpoint cancels fuel (ts : seq (seq nat * term)) : bool :=
  if ts is t :: ts' then
    if fuel is S fuel then
      let: (q, others) := picked t ts' in if Qeq_bool q (Qmake 0 1) then cancels fuel others else false
    else false
  else true.
Definition tidy (t : term) : term := (t.1, merged (size t.2) [::] t.2).
Definition vanishes (ts : seq term) :=
  let ts := [seq (key t, t) | t <- map tidy ts] in cancels (size ts) ts.

Lemma picked_value phi t ts :
  value phi t.2 + \sum_(u <- ts) value phi u.2
  = rational (picked t ts).1 * whole phi t.2.1.2 t.2.2 + \sum_(u <- (picked t ts).2) value phi u.2.
Proof.
elim: ts => [|u ts IH] /=; first by rewrite !big_nil.
rewrite big_cons addrCA IH; case: (picked t ts) => q others /=.
case: ifP => [/andP [_ A]|_] /=; last by rewrite big_cons addrCA.
rewrite rational_red rational_add mulrDl -addrA; congr (_ + _); rewrite /value; congr (_ * _).
move: A; rewrite /alike; case: ifP => // _; case: (search _ _ _) => // names; exact: renamed_value.
Qed.

Lemma cancels_value phi fuel ts : cancels fuel ts -> \sum_(t <- ts) value phi t.2 = 0.
Proof.
elim: fuel ts => [|fuel IH] [|t ts] //=; rewrite ?big_nil // big_cons picked_value.
case: (picked t ts) => q others /=; case: ifP => // Z /IH ->.
by rewrite (rational_eq _ Z) rational0 mul0r addr0.
Qed.

Lemma vanishes_value phi ts : vanishes ts -> total phi ts = 0.
Proof.
move/(cancels_value phi); rewrite !big_map => E; rewrite -[RHS]E; apply: eq_bigr => t _ /=.
by rewrite /value; congr (_ * _); apply: eq_bigr => a _; rewrite merged_value.
Qed.

(* steps, each zero by how it is built from letters that are zero *)
Section Steps.
Variable zeros : seq nat.
Hypothesis zerosP : forall l, l \in zeros -> forall place, env l place = 0.

Fixpoint is_zero e :=
  match e with
  | At l _ => l \in zeros
  | Add a b => is_zero a && is_zero b
  | Mul a b => is_zero a || is_zero b
  | Sum _ a => is_zero a
  | Ren _ a => is_zero a
  | _ => false
  end.

Lemma is_zero_val e rho : is_zero e -> val rational dim env rho e = 0.
Proof.
elim: e rho => //= [l s|a IHa b IHb|a IHa b IHb|r a IH|s a IH] rho.
- by move/zerosP.
- by case/andP => /IHa -> /IHb ->; rewrite addr0.
- by case/orP => [/IHa ->|/IHb ->]; rewrite ?mul0r ?mulr0.
- by move=> H; rewrite big1 // => k _; exact: IH.
exact: IH.
Qed.

Definition difference a b steps := Add a (Neg (foldr Add b steps)).
Definition decides ds rs a b steps :=
  all is_zero steps && vanishes (multiplied_out (known ds) rs (difference a b steps)).

Theorem agree ds rs a b steps place : all_defined ds -> fits place rs -> decides ds rs a b steps ->
  val rational dim env place a = val rational dim env place b.
Proof.
move=> D P /andP [Z /(vanishes_value (nth 0%N place))]; rewrite -multiplied //; last exact: known_forms.
rewrite /= rationalN1 mulN1r => /eqP; rewrite subr_eq0 => /eqP ->.
elim: steps Z => //= s steps IH /andP [/is_zero_val -> /IH ->]; exact: add0r.
Qed.
End Steps.
End Comparison.
End Terms.
