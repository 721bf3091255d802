(* Readings of formulas about arrays: an array is a function of indices, and an index an ordinal below its range. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Derivations Require Import Indexed Words.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Arrays.
Variables (F : numFieldType) (dim : nat -> nat) (env : letters F).
Hypothesis dim0 : dim 0 = 1%N.
Notation reads := (reads (rational F) dim env).
Notation defined := (defined dim env).

Definition entries1 m (A : 'I_m -> F) (s : seq nat) : F := if insub (nth 0%N s 0) is Some i then A i else 0.
Definition entries2 m n (A : 'I_m -> 'I_n -> F) (s : seq nat) : F :=
  if insub (nth 0%N s 0) is Some i then entries1 (A i) (behead s) else 0.

Lemma entry1_reads m l (A : 'I_m -> F) rho p (i : 'I_m) :
  env l = entries1 A -> nth 0%N rho p = i -> reads rho (At l [:: p]) (A i).
Proof. by move=> E P; rewrite /Words.reads /= E /entries1 /= P valK. Qed.
Lemma entry2_reads m n l (A : 'I_m -> 'I_n -> F) rho p q (i : 'I_m) (j : 'I_n) :
  env l = entries2 A -> nth 0%N rho p = i -> nth 0%N rho q = j -> reads rho (At l [:: p; q]) (A i j).
Proof. by move=> E P Q; rewrite /Words.reads /= E /entries2 /entries1 /= P valK Q valK. Qed.
Lemma symmetric_array n l (A : 'I_n -> 'I_n -> F) :
  env l = entries2 A -> (forall i j, A i j = A j i) -> symmetric_at env l.
Proof.
move=> E S i j; rewrite E /entries2 /entries1 /=; case: insubP => [i' _ _|_]; case: insubP => [j' _ _|_] //=.
Qed.

Lemma fits_none : fits dim [::] [::]. Proof. by []. Qed.
Lemma fits_more n r (i : 'I_n) place rs : dim r = n -> fits dim place rs -> fits dim (nat_of_ord i :: place) (r :: rs).
Proof. by rewrite /fits /= => ->; rewrite ltn_ord. Qed.

(* what holds at all indices below the ranges, one after the other *)
Fixpoint everywhere (rs : seq nat) (P : seq nat -> Prop) : Prop :=
  if rs is r :: rs' then forall i : 'I_(dim r), everywhere rs' (fun place => P (nat_of_ord i :: place)) else P [::].

Lemma everywhere_fits rs P : everywhere rs P -> forall place, fits dim place rs -> P place.
Proof.
elim: rs P => [|r rs IH] P H [|i place] //=; rewrite /fits //= => /andP [L R].
exact: (IH _ (H (Ordinal L)) place R).
Qed.
Lemma zero_is l rs a b : env l = nothing F ->
  everywhere rs (fun place => val (rational F) dim env place a = val (rational F) dim env place b) ->
  defined (l, (rs, Add a (Neg b))).
Proof. by move=> E H place /(everywhere_fits H) /= V; rewrite E rationalN1 mulN1r V subrr. Qed.

Theorem array_agree rho rs a b x y symmetric zeros ds steps : fits dim rho rs ->
  reads rho a x -> reads rho b y -> each (symmetric_at env) symmetric -> each (zero_at env) zeros ->
  all_defined dim env ds -> decides symmetric zeros ds rs a b steps -> x = y.
Proof. by move=> H -> -> S Z D C; exact: (agree dim0 (eachP S) (eachP Z) D H C). Qed.
End Arrays.
