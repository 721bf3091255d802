(* Readings: what matrices and numbers say entry by entry, as formulas of Indexed.v. A reading of a product is made
   from readings of its factors, and so on, so that an equation of matrices of any size becomes one of entries.

   The derivative of a formula while its letters move is taken in polynomials of one letter 'X: [moving A V] is
   A + 'X V, and [rate] takes the coefficient of 'X. What is proved so holds for every field and every size. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Derivations Require Import Indexed.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* formulas for matrices, whose entries are at indices 0 and 1 *)
Definition Letter l := At l [:: 0; 1]%N.
Definition Product r a b := Sum r (Mul (Ren [:: 1; 0]%N a) (Ren [:: 0; 2]%N b)).
Definition Turned a := Ren [:: 1; 0]%N a.
Definition Trace r a := Sum r (Ren [:: 0; 0]%N a).
Definition Scaled c a := Mul (Ren [::] c) a.
Definition Unit := Delta 0 1.
Definition Zero := Num (Qmake 0 1).
Definition Corner a := Ren [:: 0; 0]%N a.

(* the derivative, while some letters move at the rates that other letters are *)
Fixpoint slope_of (moves : seq (nat * nat)) e : formula :=
  match e with
  | At l s => if fetch l moves is Some v then At v s else Zero
  | Add a b => Add (slope_of moves a) (slope_of moves b)
  | Mul a b => Add (Mul (slope_of moves a) b) (Mul a (slope_of moves b))
  | Sum r a => Sum r (slope_of moves a)
  | Ren s a => Ren s (slope_of moves a)
  | _ => Zero
  end.
Fixpoint plain e :=
  match e with
  | Add a b | Mul a b => plain a && plain b
  | Sum _ a | Ren _ a => plain a
  | Basis _ _ => false
  | _ => true
  end.

Section Readings.
Variables (R : comRingType) (num : Q -> R) (dim : nat -> nat) (env : letters R).
Definition reads rho e (x : R) := x = val num dim env rho e.
Definition mx_reads m n e (A : 'M[R]_(m, n)) := forall i j, A i j = val num dim env [:: nat_of_ord i; nat_of_ord j] e.

Lemma num_reads rho q x : x = num q -> reads rho (Num q) x. Proof. by []. Qed.
Lemma add_reads rho a b x y : reads rho a x -> reads rho b y -> reads rho (Add a b) (x + y).
Proof. by rewrite /reads => -> ->. Qed.
Lemma mul_reads rho a b x y : reads rho a x -> reads rho b y -> reads rho (Mul a b) (x * y).
Proof. by rewrite /reads => -> ->. Qed.
Lemma neg_reads rho a x : num (Qmake (-1) 1) = -1 -> reads rho a x -> reads rho (Neg a) (- x).
Proof. by move=> E H; rewrite /reads /= E mulN1r H. Qed.
Lemma at_reads rho l s x : env l (read rho s) = x -> reads rho (At l s) x. Proof. by []. Qed.
Lemma delta_reads n rho i j (x y : 'I_n) : nth 0%N rho i = x -> nth 0%N rho j = y -> reads rho (Delta i j) (x == y)%:R.
Proof. by rewrite /reads /= => -> ->. Qed.
Lemma size_reads n r rho : dim r = n -> num (Qmake 1 1) = 1 -> reads rho (Sum r (Num (Qmake 1 1))) n%:R.
Proof. by rewrite /reads /= => -> ->; rewrite sumr_const card_ord. Qed.
Lemma sum_reads n r rho a (x : 'I_n -> R) :
  dim r = n -> (forall k : 'I_n, reads (nat_of_ord k :: rho) a (x k)) -> reads rho (Sum r a) (\sum_(k < n) x k).
Proof. by rewrite /reads => E; case: n / E x => x H /=; apply: eq_bigr. Qed.

Lemma letter_mx m n l (A : 'M[R]_(m, n)) : (forall i j : nat, env l [:: i; j] =
  if insub i is Some i' then (if insub j is Some j' then A i' j' else 0) else 0) -> mx_reads (Letter l) A.
Proof. by move=> E i j; rewrite /= E !valK. Qed.
Lemma add_mx m n a b (A B : 'M[R]_(m, n)) : mx_reads a A -> mx_reads b B -> mx_reads (Add a b) (A + B).
Proof. by move=> HA HB i j; rewrite mxE HA HB. Qed.
Lemma turned_mx m n a (A : 'M[R]_(m, n)) : mx_reads a A -> mx_reads (Turned a) A^T.
Proof. by move=> H i j; rewrite mxE H. Qed.
Lemma scaled_mx m n c x a (A : 'M[R]_(m, n)) : reads [::] c x -> mx_reads a A -> mx_reads (Scaled c a) (x *: A).
Proof. by rewrite /reads => -> H i j; rewrite mxE H. Qed.
Lemma neg_mx m n a (A : 'M[R]_(m, n)) : num (Qmake (-1) 1) = -1 -> mx_reads a A -> mx_reads (Neg a) (- A).
Proof. by move=> E H i j; rewrite mxE H /= E mulN1r. Qed.
Lemma one_mx n : mx_reads Unit (1%:M : 'M[R]_n). Proof. by move=> i j; rewrite mxE. Qed.
Lemma zero_mx m n : num (Qmake 0 1) = 0 -> mx_reads Zero (0 : 'M[R]_(m, n)).
Proof. by move=> E i j; rewrite mxE /= E. Qed.
Lemma product_mx m n p r a b (A : 'M[R]_(m, p)) (B : 'M[R]_(p, n)) :
  dim r = p -> mx_reads a A -> mx_reads b B -> mx_reads (Product r a b) (A *m B).
Proof. by move=> E; case: p / E A B => A B HA HB i j; rewrite mxE /=; apply: eq_bigr => k _; rewrite HA HB. Qed.
Lemma trace_reads n r a (A : 'M[R]_n) : dim r = n -> mx_reads a A -> reads [::] (Trace r a) (\tr A).
Proof. by move=> E; case: n / E A => A H; rewrite /reads /mxtrace /=; apply: eq_bigr => k _; rewrite H. Qed.
Lemma corner_reads a (A : 'M[R]_1) : mx_reads a A -> reads [::] (Corner a) (A 0 0).
Proof. by move=> H; rewrite /reads H. Qed.
End Readings.

Section Moving.
Variables (F : numFieldType) (dim : nat -> nat).
Notation base := (reads (rational F) dim).
Notation base_mx := (mx_reads (rational F) dim).
Definition poly_num q : {poly F} := (rational F q)%:P.

Definition fixed m n (A : 'M[F]_(m, n)) : 'M[{poly F}]_(m, n) := map_mx polyC A.
Definition moving m n (A V : 'M[F]_(m, n)) : 'M[{poly F}]_(m, n) := map_mx polyC A + 'X *: map_mx polyC V.
Definition moving_number (x v : F) : {poly F} := x%:P + 'X * v%:P.
Definition slope (p : {poly F}) : F := p^`().[0].
Definition rate m n (A : 'M[{poly F}]_(m, n)) : 'M[F]_(m, n) := map_mx slope A.

Definition moved (env : letters F) (moves : seq (nat * nat)) : letters [ringType of {poly F}] :=
  fun l s => (env l s)%:P + 'X * (if fetch l moves is Some v then env v s else 0)%:P.
Notation late env moves := (reads poly_num dim (moved env moves)).
Notation late_mx env moves := (mx_reads poly_num dim (moved env moves)).

Lemma slope_moved env moves e rho : plain e ->
  (val poly_num dim (moved env moves) rho e).[0] = val (rational F) dim env rho e /\
  slope (val poly_num dim (moved env moves) rho e) = val (rational F) dim env rho (slope_of moves e).
Proof.
have Z : slope 0 = 0 by rewrite /slope derivC hornerC.
have N q : rational F q = rational F q by [].
elim: e rho => //= [q|l s|i j|a IHa b IHb|a IHa b IHb|r a IH|s a IH] rho.
- by rewrite /poly_num /slope derivC !hornerC rational0.
- rewrite /moved hornerD hornerM hornerX mul0r addr0 hornerC; split=> //.
  rewrite /slope derivD derivM derivX !derivC mulr0 addr0 mul1r add0r hornerC.
  by case: (fetch _ _) => //=; rewrite rational0.
- have -> : (nth 0%N rho i == nth 0%N rho j)%:R = ((nth 0%N rho i == nth 0%N rho j)%:R : F)%:P by case: eqP.
  by rewrite /slope derivC !hornerC rational0.
- move=> /andP [/IHa H1 /IHb H2]; case: (H1 rho) (H2 rho) => E1 E2 [E3 E4].
  by rewrite /slope derivD !hornerD E1 E3 -/(slope _) -/(slope _) E2 E4.
- move=> /andP [/IHa H1 /IHb H2]; case: (H1 rho) (H2 rho) => E1 E2 [E3 E4].
  by rewrite /slope derivM !hornerE E1 E3 -/(slope _) -/(slope _) E2 E4.
- move=> P; split; first by rewrite horner_sum; apply: eq_bigr => k _; case: (IH (nat_of_ord k :: rho) P).
  rewrite /slope raddf_sum horner_sum; apply: eq_bigr => k _; by case: (IH (nat_of_ord k :: rho) P).
exact: IH.
Qed.

Lemma fixed_mx env moves m n (l : nat) (A : 'M[F]_(m, n)) : fetch l moves = None ->
  base_mx env (Letter l) A -> late_mx env moves (Letter l) (fixed A).
Proof. by move=> E H i j; rewrite !mxE H /= /moved E mulr0 addr0. Qed.
Lemma moving_mx env moves m n (l v : nat) (A V : 'M[F]_(m, n)) : fetch l moves = Some v ->
  base_mx env (Letter l) A -> base_mx env (Letter v) V -> late_mx env moves (Letter l) (moving A V).
Proof. by move=> E H G i j; rewrite !mxE H G /= /moved E. Qed.
Lemma fixed_reads env moves (l : nat) x : fetch l moves = None ->
  base env [::] (At l [::]) x -> late env moves [::] (At l [::]) x%:P.
Proof. by move=> E ->; rewrite /reads /= /moved E mulr0 addr0. Qed.
Lemma moving_reads env moves (l v : nat) x y : fetch l moves = Some v ->
  base env [::] (At l [::]) x -> base env [::] (At v [::]) y -> late env moves [::] (At l [::]) (moving_number x y).
Proof. by move=> E -> ->; rewrite /reads /= /moved E. Qed.

Lemma slope_reads env moves a x : late env moves [::] a x -> plain a -> base env [::] (slope_of moves a) (slope x).
Proof. by move=> -> /(slope_moved env moves [::]) []. Qed.
Lemma rate_mx env moves m n a (A : 'M_(m, n)) : late_mx env moves a A -> plain a -> base_mx env (slope_of moves a) (rate A).
Proof. by move=> H P i j; rewrite mxE H; case: (slope_moved env moves [:: nat_of_ord i; nat_of_ord j] P). Qed.

(* the letter e is a matrix of which one entry is 1, and others are 0 *)
Lemma gradient_mx env m n l e a (x : 'I_m -> 'I_n -> {poly F}) :
  (forall i j, late (basis env e [:: nat_of_ord i; nat_of_ord j]) [:: (l, e)] [::] a (x i j)) -> plain a ->
  base_mx env (Basis e (slope_of [:: (l, e)] a)) (\matrix_(i, j) slope (x i j)).
Proof. by move=> H P i j; rewrite mxE H; case: (slope_moved (basis env e [:: nat_of_ord i; nat_of_ord j]) [:: (l, e)] [::] P). Qed.
Lemma other_mx env (e : nat) place m n (l : nat) (A : 'M[F]_(m, n)) : (l == e) = false ->
  base_mx env (Letter l) A -> base_mx (basis env e place) (Letter l) A.
Proof. by move=> E H i j; rewrite H /= /basis E. Qed.
Lemma other_reads env (e : nat) place (l : nat) x : (l == e) = false ->
  base env [::] (At l [::]) x -> base (basis env e place) [::] (At l [::]) x.
Proof. by move=> E ->; rewrite /reads /= /basis E. Qed.
Lemma entry_mx env e m n (i : 'I_m) (j : 'I_n) :
  base_mx (basis env e [:: nat_of_ord i; nat_of_ord j]) (Letter e) (delta_mx i j).
Proof. by move=> i' j'; rewrite mxE /= /basis eqxx !eqseq_cons andbT. Qed.
End Moving.

Section Deciding.
Variables (F : numFieldType) (dim : nat -> nat) (env : letters F).
Hypothesis dim0 : dim 0 = 1%N.
Notation reads := (reads (rational F) dim env).
Notation mx_reads := (mx_reads (rational F) dim env).

Definition entries m n (A : 'M[F]_(m, n)) (s : seq nat) : F :=
  if insub (nth 0%N s 0) is Some i then (if insub (nth 0%N s 1) is Some j then A i j else 0) else 0.
Definition diagonal n (A : 'M[F]_n) (s : seq nat) : F := entries A [:: nth 0%N s 0; nth 0%N s 0].
Definition nothing (s : seq nat) : F := 0.

Lemma entries_in m n (A : 'M[F]_(m, n)) (i : 'I_m) (j : 'I_n) : entries A [:: nat_of_ord i; nat_of_ord j] = A i j.
Proof. by rewrite /entries /= !valK. Qed.
Lemma entries_mx m n l (A : 'M[F]_(m, n)) : env l = entries A -> mx_reads (Letter l) A.
Proof. by move=> E; apply: letter_mx => i j; rewrite E. Qed.

Lemma places m n r s (P : seq nat -> Prop) : dim r = m -> dim s = n ->
  (forall (i : 'I_m) (j : 'I_n), P [:: nat_of_ord i; nat_of_ord j]) -> forall place, fits dim place [:: r; s] -> P place.
Proof.
move=> <- <- H [|i [|j [|k p]]] //; rewrite /fits /= ?andbF // andbT => /andP [Hi Hj].
exact: (H (Ordinal Hi) (Ordinal Hj)).
Qed.

Lemma defined_mx m n l r s a (A : 'M[F]_(m, n)) : dim r = m -> dim s = n -> env l = entries A -> mx_reads a A ->
  defined dim env (l, ([:: r; s], a)).
Proof. by move=> Hm Hn E H; apply: (places Hm Hn) => i j; rewrite /= E entries_in H. Qed.
Lemma defined_number l a x : env l = (fun=> x) -> reads [::] a x -> defined dim env (l, ([::], a)).
Proof. by move=> E H [|i p] // _; rewrite /= E H. Qed.
Lemma zero_is_mx m n l r s a b (A B : 'M[F]_(m, n)) : dim r = m -> dim s = n -> env l = nothing -> A = B ->
  mx_reads a A -> mx_reads b B -> defined dim env (l, ([:: r; s], Add a (Neg b))).
Proof.
move=> Hm Hn E EA HA HB; apply: (places Hm Hn) => i j.
by rewrite /= E rationalN1 mulN1r -HA -HB EA subrr.
Qed.
Lemma zero_is_number l a b x y : env l = nothing -> x = y ->
  reads [::] a x -> reads [::] b y -> defined dim env (l, ([::], Add a (Neg b))).
Proof. by move=> E Exy Hx Hy [|i p] // _; rewrite /= E rationalN1 mulN1r -Hx -Hy Exy subrr. Qed.
Lemma diagonal_is n l k r (A : 'M[F]_n) : dim r = n -> env l = entries A -> env k = diagonal A -> is_diag_mx A ->
  defined dim env (l, ([:: r; r], Mul (Delta 0 1) (At k [:: 0%N]))).
Proof.
move=> Hn E K /is_diag_mxP D; apply: (places Hn Hn) => i j.
rewrite /= E K /diagonal /= !entries_in; case: eqP => [W|/eqP N]; last by rewrite D ?mul0r.
by rewrite mul1r; congr (A _ _); apply: val_inj.
Qed.

Fixpoint each (P : nat -> Prop) ls := if ls is l :: ls' then P l /\ each P ls' else True.
Lemma eachP P ls : each P ls -> forall l, l \in ls -> P l.
Proof. by elim: ls => //= l ls IH [H /IH G] m; rewrite inE => /orP [/eqP -> |/G]. Qed.
Definition symmetric_at l := forall i j, env l [:: i; j] = env l [:: j; i].
Definition zero_at l := forall place, env l place = 0.

Lemma symmetric_entries n l (A : 'M[F]_n) : env l = entries A -> A^T = A -> symmetric_at l.
Proof.
move=> E S i j; rewrite E /entries /=; case: insubP => [i' _ _|_]; case: insubP => [j' _ _|_] //=.
by rewrite -{1}S mxE.
Qed.
Lemma zero_nothing l : env l = nothing -> zero_at l. Proof. by move=> E p; rewrite E. Qed.

Theorem mx_agree m n r s a b (A B : 'M[F]_(m, n)) symmetric zeros ds steps : dim r = m -> dim s = n ->
  mx_reads a A -> mx_reads b B -> each symmetric_at symmetric -> each zero_at zeros -> all_defined dim env ds ->
  decides symmetric zeros ds [:: r; s] a b steps -> A = B.
Proof.
move=> Hm Hn HA HB S Z D C; apply/matrixP => i j; rewrite HA HB.
apply: (agree dim0 (eachP S) (eachP Z) D _ C).
by rewrite /fits /= Hm Hn !ltn_ord.
Qed.
Theorem number_agree a b x y symmetric zeros ds steps :
  reads [::] a x -> reads [::] b y -> each symmetric_at symmetric -> each zero_at zeros -> all_defined dim env ds ->
  decides symmetric zeros ds [::] a b steps -> x = y.
Proof. by move=> -> -> S Z D C; exact: (agree dim0 (eachP S) (eachP Z) D _ C). Qed.
End Deciding.

Definition sizes (ns : seq nat) : nat -> nat := nth 0%N (1%N :: ns).
Definition numbered (F : numFieldType) (ls : seq (seq nat -> F)) : letters F := nth (fun=> 0) ls.

Section Numbers.
Variable F : numFieldType.
Lemma whole_number z (x : F) : x = integer F z -> x = rational F (Qmake z 1).
Proof. by move=> ->; rewrite /rational /= divr1. Qed.
Lemma late_number q (x : F) : x = rational F q -> x%:P = poly_num F q. Proof. by move=> ->. Qed.
Lemma late_minus_one : poly_num F (Qmake (-1) 1) = -1. Proof. by rewrite /poly_num rationalN1 rmorphN1. Qed.
Lemma late_zero : poly_num F (Qmake 0 1) = 0. Proof. by rewrite /poly_num rational0. Qed.
Lemma inverse_right (x y : F) : x * y = 1 -> y * x = 1. Proof. by rewrite mulrC. Qed.
End Numbers.
