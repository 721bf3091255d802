(* Values of formulas where all letters are tables of rational numbers, as the machine computes them. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Derivations Require Import Indexed Words Sums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition zero := Qmake 0 1.
Definition one := Qmake 1 1.
Definition table := seq (seq Q).
Definition entry (t : table) (s : seq nat) : Q := nth zero (nth [::] t (nth 0%N s 0)) (nth 0%N s 1).
Definition tables (ts : seq table) (l : nat) : seq nat -> Q := entry (nth [::] ts l).

Section Computed.
Variable dim : nat -> nat.
Definition basis_of (env : nat -> seq nat -> Q) l place : nat -> seq nat -> Q :=
  fun l' s => if l' == l then (if s == place then one else zero) else env l' s.

Fixpoint computed (env : nat -> seq nat -> Q) (rho : seq nat) (e : formula) : Q :=
  match e with
  | Num q => q
  | At l s => env l (read rho s)
  | Delta i j => if nth 0%N rho i == nth 0%N rho j then one else zero
  | Add a b => Qred (Qplus (computed env rho a) (computed env rho b))
  | Mul a b => Qred (Qmult (computed env rho a) (computed env rho b))
  | Sum r a => foldr (fun k q => Qred (Qplus (computed env (k :: rho) a) q)) zero (iota 0 (dim r))
  | Ren s a => computed env (read rho s) a
  | Basis l a => computed (basis_of env l rho) [::] a
  end.

(* the entries of a matrix, or the value of a number *)
Definition tabulated ts (r s : nat) e : table :=
  [seq [seq computed (tables ts) [:: i; j] e | j <- iota 0 (dim s)] | i <- iota 0 (dim r)].
Definition valued ts e : table := [:: [:: computed (tables ts) [::] e]].

Fixpoint at_all (rs : seq nat) (P : seq nat -> bool) : bool :=
  if rs is r :: rs' then all (fun i => at_all rs' (fun place => P (i :: place))) (iota 0 (dim r)) else P [::].
Definition same_at ts a b place := Qeq_bool (computed (tables ts) place a) (computed (tables ts) place b).
Definition same ts rs a b := at_all rs (same_at ts a b).
End Computed.

Section Over.
Variables (F : numFieldType) (dim : nat -> nat) (ts : seq table).
Definition tabled : letters F := fun l s => rational F (tables ts l s).
Definition matrix_of m n (t : table) : 'M[F]_(m, n) := \matrix_(i, j) rational F (entry t [:: nat_of_ord i; nat_of_ord j]).
Notation reads := (reads (rational F) dim tabled).
Notation mx_reads := (mx_reads (rational F) dim tabled).

Lemma computed_val (env : letters F) q rho e : (forall l s, env l s = rational F (q l s)) ->
  val (rational F) dim env rho e = rational F (computed dim q rho e).
Proof.
elim: e env q rho => //= [i j|a IHa b IHb|a IHa b IHb|r a IH|s a IH|l a IH] env q rho E.
- by case: eqP => _; rewrite ?rational0 ?rational1.
- by rewrite rational_red rational_add -(IHa env) // -(IHb env).
- by rewrite rational_red rational_mul -(IHa env) // -(IHb env).
- rewrite -(big_mkord xpredT (fun k => val _ _ env (k :: rho) a)) /index_iota subn0.
  elim: (iota 0 (dim r)) => [|k ks H] /=; first by rewrite big_nil rational0.
  by rewrite big_cons H rational_red rational_add -(IH env).
- exact: IH.
apply: IH => l' s; rewrite /basis /basis_of; case: eqP => // _; by case: eqP => _; rewrite ?rational0 ?rational1.
Qed.
Lemma tabled_val rho e : val (rational F) dim tabled rho e = rational F (computed dim (tables ts) rho e).
Proof. exact: computed_val. Qed.

Lemma rational_eq0 q : rational F q = 0 -> Qeq_bool q zero.
Proof.
move/eqP; rewrite /rational mulf_eq0 invr_eq0 (negbTE (integer_pos F _)) orbF => /eqP E; apply/Qeq_bool_iff.
rewrite /Qeq /= Z.mul_1_r; case: (Qnum q) E => // p; first by move/eqP; rewrite (negbTE (integer_pos F p)).
by move/eqP; rewrite /= oppr_eq0 (negbTE (integer_pos F p)).
Qed.
Lemma rational_inj p q : rational F p = rational F q -> Qeq_bool p q.
Proof.
move=> E; have/rational_eq0/Qeq_bool_iff H : rational F (Qplus p (Qmult (Qmake (-1) 1) q)) = 0.
  by rewrite rational_add rational_mul rationalN1 mulN1r E subrr.
apply/Qeq_bool_iff; rewrite -(Qplus_0_r p) -(Qplus_opp_r q).
rewrite (_ : Qopp q = Qmult (Qmake (-1) 1) q) // (Qplus_comm q) Qplus_assoc H; exact: Qplus_0_l.
Qed.

Lemma at_allP rs P : at_all dim rs P -> forall place, fits dim place rs -> P place.
Proof.
elim: rs P => [|r rs IH] P H [|i place] //=; rewrite /fits //= => /andP [L R].
by apply: (IH (fun p => P (i :: p))) => //; apply: (allP H); rewrite mem_iota.
Qed.
Lemma everywhere_all rs (P : seq nat -> Prop) (p : pred (seq nat)) : (forall place, P place -> p place) -> everywhere dim rs P -> at_all dim rs p.
Proof.
elim: rs P p => [|r rs IH] P p I H; first exact: I.
apply/allP => i; rewrite mem_iota /= => L; exact: (IH _ _ (fun place => I (i :: place)) (H (Ordinal L))).
Qed.

(* letters are what their tables say *)
Lemma tabled_mx m n l t : nth [::] ts l = t -> mx_reads (Letter l) (matrix_of m n t).
Proof. by move=> E i j; rewrite mxE /= /tabled /tables E. Qed.
Lemma made_mx m n l r s a (A : 'M[F]_(m, n)) : dim r = m -> dim s = n -> mx_reads a A ->
  same dim ts [:: r; s] (Letter l) a -> mx_reads (Letter l) A.
Proof.
move=> Hm Hn HA C i j; rewrite HA !tabled_val; apply/esym/rational_eq; apply: (at_allP C).
by rewrite /fits /= Hm Hn !ltn_ord.
Qed.
Lemma made_number l a x : reads [::] a x -> same dim ts [::] (At l [::]) a -> reads [::] (At l [::]) x.
Proof. by move=> E C; rewrite /Words.reads E !tabled_val; apply/esym/rational_eq. Qed.

(* relations *)
Lemma equal_mx m n r s a b (A B : 'M[F]_(m, n)) : dim r = m -> dim s = n -> mx_reads a A -> mx_reads b B ->
  same dim ts [:: r; s] a b -> A = B.
Proof.
move=> Hm Hn HA HB C; apply/matrixP => i j; rewrite HA HB !tabled_val; apply: rational_eq; apply: (at_allP C).
by rewrite /fits /= Hm Hn !ltn_ord.
Qed.
Lemma equal_at rho rs a b x y : fits dim rho rs -> reads rho a x -> reads rho b y -> same dim ts rs a b -> x = y.
Proof. by move=> H -> -> C; rewrite !tabled_val; apply: rational_eq; apply: (at_allP C). Qed.
Lemma differ_mx m n r s a b (A B : 'M[F]_(m, n)) : dim r = m -> dim s = n -> mx_reads a A -> mx_reads b B ->
  ~~ same dim ts [:: r; s] a b -> A <> B.
Proof.
move=> Hm Hn HA HB /negP C E; apply: C; apply: (@everywhere_all _ (fun p =>
  val (rational F) dim tabled p a = val (rational F) dim tabled p b)) => [place|].
  by rewrite !tabled_val; exact: rational_inj.
by rewrite /= Hm Hn => i j; rewrite -HA -HB E.
Qed.
Lemma differ_somewhere rs a b :
  everywhere dim rs (fun p => val (rational F) dim tabled p a = val (rational F) dim tabled p b) ->
  ~~ same dim ts rs a b -> False.
Proof.
by move=> H /negP; apply; apply: everywhere_all H => place; rewrite !tabled_val; exact: rational_inj.
Qed.

Lemma rational_gt0 q : Z.lt Z0 (Qnum q) -> 0 < rational F q.
Proof.
have P p : 0 < integer F (Zpos p) by rewrite lt0r integer_pos ler0n.
by rewrite /rational; case: (Qnum q) => // p _; rewrite divr_gt0.
Qed.
Lemma positive_number a x : reads [::] a x -> Z.ltb Z0 (Qnum (computed dim (tables ts) [::] a)) -> 0 < x.
Proof. by move=> ->; rewrite tabled_val => /Z.ltb_lt /rational_gt0. Qed.
Lemma nonzero_number a x : reads [::] a x -> ~~ Qeq_bool (computed dim (tables ts) [::] a) zero -> x != 0.
Proof. by move=> ->; rewrite tabled_val; apply: contra => /eqP /rational_eq0. Qed.

Definition diagonal_table (t : table) n := at_all dim [:: n; n]
  (fun p => (nth 0%N p 0 == nth 0%N p 1) || Qeq_bool (entry t p) zero).
Lemma diagonal_mx n r t : dim r = n -> diagonal_table t r -> is_diag_mx (matrix_of n n t).
Proof.
move=> Hn C; apply/is_diag_mxP => i j N; rewrite mxE.
have /orP [/eqP E|/rational_eq ->] : (nat_of_ord i == j) || Qeq_bool (entry t [:: nat_of_ord i; nat_of_ord j]) zero.
  by apply: (at_allP C); rewrite /fits /= Hn !ltn_ord.
  by rewrite E eqxx in N.
exact: rational0.
Qed.
End Over.
