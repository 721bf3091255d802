(* Polynomials over the rational numbers: those that the tactic `ring` computes with. *)
From Coq Require Import Ring_polynom Ring_theory Setoid.
From Coq Require Export QArith Qreals Qreduction.
From Derivations Require Export Formulas.
Local Open Scope R_scope.

Definition qadd (a b : Q) : Q :=
  match Qden a, Qden b with xH, xH => Qmake (Qnum a + Qnum b) 1 | _, _ => Qred (a + b) end.
Definition qmul (a b : Q) : Q :=
  match Qden a, Qden b with xH, xH => Qmake (Qnum a * Qnum b) 1 | _, _ => Qred (a * b) end.
Definition qsub (a b : Q) : Q := qadd a (Qopp b).

Lemma Q2R_red a : Q2R (Qred a) = Q2R a.
Proof. apply Qeq_eqR. apply Qred_correct. Qed.

Lemma Q2R_add a b : Q2R (qadd a b) = Q2R a + Q2R b.
Proof.
  unfold qadd. destruct a as [n d], b as [m c]. cbn [Qden Qnum].
  destruct d, c; rewrite ?Q2R_red; try apply Q2R_plus. unfold Q2R. simpl. rewrite plus_IZR. field.
Qed.

Lemma Q2R_mul a b : Q2R (qmul a b) = Q2R a * Q2R b.
Proof.
  unfold qmul. destruct a as [n d], b as [m c]. cbn [Qden Qnum].
  destruct d, c; rewrite ?Q2R_red; try apply Q2R_mult. unfold Q2R. simpl. rewrite mult_IZR. field.
Qed.

Lemma Q2R_sub a b : Q2R (qsub a b) = Q2R a - Q2R b.
Proof. unfold qsub. rewrite Q2R_add, Q2R_opp. ring. Qed.

Lemma Q2R_is_0 : Q2R 0 = 0. Proof. unfold Q2R. simpl. field. Qed.
Lemma Q2R_is_1 : Q2R 1 = 1. Proof. unfold Q2R. simpl. field. Qed.

Lemma morphism : ring_morph 0 1 Rplus Rmult Rminus Ropp (@eq R) 0%Q 1%Q qadd qmul qsub Qopp Qeq_bool Q2R.
Proof.
  constructor.
  - exact Q2R_is_0.
  - exact Q2R_is_1.
  - exact Q2R_add.
  - exact Q2R_sub.
  - exact Q2R_mul.
  - exact Q2R_opp.
  - intros x y H. apply Qeq_eqR. apply Qeq_bool_iff. exact H.
Qed.

Lemma equivalence : Equivalence (@eq R). Proof. exact _. Qed.
Lemma extension : ring_eq_ext Rplus Rmult Ropp (@eq R).
Proof. constructor; congruence. Qed.
Lemma almost : almost_ring_theory 0 1 Rplus Rmult Rminus Ropp (@eq R).
Proof. exact (Rth_ARth equivalence extension RTheory). Qed.

Definition poly := Pol Q.
Definition padd : poly -> poly -> poly := Padd 0%Q qadd Qeq_bool.
Definition psub : poly -> poly -> poly := Psub 0%Q qadd qsub Qopp Qeq_bool.
Definition pmul : poly -> poly -> poly := Pmul 0%Q 1%Q qadd qmul Qeq_bool.
Definition popp : poly -> poly := Popp Qopp.
Definition peq : poly -> poly -> bool := Peq Qeq_bool.
Definition pconst (q : Q) : poly := Pc q.
Definition pone : poly := pconst 1.
Definition pvar (i : positive) : poly := mk_X 0%Q 1%Q i.
Fixpoint ppow (p : poly) (n : positive) : poly :=
  match n with
  | xH => p
  | xO n => let s := ppow p n in pmul s s
  | xI n => let s := ppow p n in pmul p (pmul s s)
  end.
Definition constant (p : poly) : option Q := match p with Pc q => Some q | _ => None end.

Definition peval (l : list R) (p : poly) : R := Pphi 0 Rplus Rmult Q2R l p.

Global Arguments peq : simpl never.
Global Arguments padd : simpl never.
Global Arguments psub : simpl never.
Global Arguments pmul : simpl never.
Global Arguments popp : simpl never.
Global Arguments ppow : simpl never.
Global Arguments pvar : simpl never.
Global Arguments pconst : simpl never.
Global Arguments peval : simpl never.

Lemma padd_ok l p q : peval l (padd p q) = peval l p + peval l q.
Proof. exact (Padd_ok equivalence extension almost morphism q p l). Qed.
Lemma psub_ok l p q : peval l (psub p q) = peval l p - peval l q.
Proof. exact (Psub_ok equivalence extension almost morphism q p l). Qed.
Lemma pmul_ok l p q : peval l (pmul p q) = peval l p * peval l q.
Proof. exact (Pmul_ok equivalence extension almost morphism p q l). Qed.
Lemma popp_ok l p : peval l (popp p) = - peval l p.
Proof. exact (Popp_ok equivalence extension almost morphism p l). Qed.
Lemma peq_ok l p q : peq p q = true -> peval l p = peval l q.
Proof. intros H. exact (Peq_ok equivalence extension morphism p q H l). Qed.
Lemma pvar_ok l i : peval l (pvar i) = BinList.nth 0 i l.
Proof. symmetry. exact (mkX_ok equivalence extension almost morphism i l). Qed.
Lemma pconst_ok l q : peval l (pconst q) = Q2R q.
Proof. reflexivity. Qed.
Lemma pone_ok l : peval l pone = 1.
Proof. exact Q2R_is_1. Qed.
Lemma constant_ok l p q : constant p = Some q -> peval l p = Q2R q.
Proof. destruct p; simpl; intros H; try discriminate H. injection H as <-. reflexivity. Qed.

Lemma ppow_ok l p n : peval l (ppow p n) = peval l p ^ Pos.to_nat n.
Proof.
  induction n as [n IH|n IH|].
  - change (ppow p (xI n)) with (pmul p (pmul (ppow p n) (ppow p n))).
    rewrite !pmul_ok, IH, Pos2Nat.inj_xI. simpl pow. rewrite <- pow_add. f_equal. f_equal. lia.
  - change (ppow p (xO n)) with (pmul (ppow p n) (ppow p n)). rewrite pmul_ok, IH, Pos2Nat.inj_xO, <- pow_add.
    f_equal. lia.
  - change (ppow p 1) with p. simpl. ring.
Qed.

(* a polynomial from its coefficients and the powers of letters beside them *)
Inductive letter := L (i n : positive).
Inductive monomial := M (n : Z) (d : positive) (letters : list letter).
Fixpoint letters (l : list letter) (p : poly) : poly :=
  match l with [] => p | L i n :: l => letters l (pmul p (ppow (pvar i) n)) end.
Definition made (l : list monomial) : poly :=
  fold_left (fun p (m : monomial) => let '(M n d ls) := m in padd p (letters ls (pconst (Qmake n d)))) l (pconst 0).

(* rational numbers as they are printed *)
Lemma number_ok n d : number n d = Q2R (Qmake n d).
Proof. unfold number, Q2R. simpl. destruct d; try reflexivity. field. Qed.

(* values of the letters of polynomials, where formulas stand for them *)
Lemma jump_map (e : list R) gens p : BinList.jump p (map (ev e) gens) = map (ev e) (BinList.jump p gens).
Proof. revert gens. induction p; intros gens; simpl; rewrite <- ?IHp; destruct gens; simpl; rewrite ?IHp; reflexivity. Qed.

Lemma nth_map e gens p : BinList.nth 0 p (map (ev e) gens) = ev e (BinList.nth (Num 0 1) p gens).
Proof.
  revert gens. induction p; intros gens; simpl.
  - destruct gens; simpl; rewrite <- IHp, <- jump_map; reflexivity.
  - rewrite <- IHp, <- jump_map. reflexivity.
  - destruct gens; reflexivity.
Qed.
