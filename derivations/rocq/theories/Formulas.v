(* Formulas about numbers as data, and their values. *)
From Coq Require Export Reals ZArith List Bool Lra Lia.
Export ListNotations.
Local Open Scope R_scope.

Inductive func := Exp | Log | Sinh | Cosh | Tanh | Sin | Cos | Asin | Atan | Abs.

Inductive formula :=
| Var (i : nat)
| Num (p : Z) (q : positive)
| Pi
| Add (a b : formula)
| Mul (a b : formula)
| Pow (a : formula) (k : Z)
| Root (a : formula) (k : Z) (* the power k of the square root *)
| Exponential (a b : formula) (* a power whose exponent is no number *)
| Fun (f : func) (a : formula).

Definition number (p : Z) (q : positive) : R := match q with xH => IZR p | _ => IZR p / IZR (Zpos q) end.

Definition power (x : R) (k : Z) : R :=
  match k with
  | Z0 => 1 | Zpos xH => x | Zpos n => x ^ Pos.to_nat n | Zneg xH => / x | Zneg n => / (x ^ Pos.to_nat n)
  end.

Definition apply (f : func) : R -> R :=
  match f with
  | Exp => exp | Log => ln | Sinh => sinh | Cosh => cosh | Tanh => tanh
  | Sin => sin | Cos => cos | Asin => asin | Atan => atan | Abs => Rabs
  end.

Fixpoint ev (e : list R) (t : formula) : R :=
  match t with
  | Var i => nth i e 0
  | Num p q => number p q
  | Pi => PI
  | Add a b => ev e a + ev e b
  | Mul a b => ev e a * ev e b
  | Pow a k => power (ev e a) k
  | Root a k => power (sqrt (ev e a)) k
  | Exponential a b => Rpower (ev e a) (ev e b)
  | Fun f a => apply f (ev e a)
  end.

Lemma power_pos x n : power x (Zpos n) = x ^ Pos.to_nat n.
Proof. destruct n; try reflexivity. simpl. ring. Qed.

Lemma power_neg x n : power x (Zneg n) = / (x ^ Pos.to_nat n).
Proof. destruct n; try reflexivity. simpl. rewrite Rmult_1_r. reflexivity. Qed.

Definition func_eqb (f g : func) : bool :=
  match f, g with
  | Exp, Exp | Log, Log | Sinh, Sinh | Cosh, Cosh | Tanh, Tanh | Sin, Sin | Cos, Cos | Asin, Asin | Atan, Atan
  | Abs, Abs => true
  | _, _ => false
  end.

Lemma func_eqb_ok f g : func_eqb f g = true -> f = g.
Proof. destruct f, g; simpl; intros H; try reflexivity; discriminate H. Qed.

Fixpoint same (s t : formula) : bool :=
  match s, t with
  | Var i, Var j => Nat.eqb i j
  | Num p q, Num p' q' => Z.eqb p p' && Pos.eqb q q'
  | Pi, Pi => true
  | Add a b, Add a' b' | Mul a b, Mul a' b' | Exponential a b, Exponential a' b' => same a a' && same b b'
  | Pow a k, Pow a' k' | Root a k, Root a' k' => Z.eqb k k' && same a a'
  | Fun f a, Fun g a' => func_eqb f g && same a a'
  | _, _ => false
  end.

Lemma same_ok s : forall t, same s t = true -> s = t.
Proof.
  induction s; intros t H; destruct t; simpl in H; try discriminate H;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end;
    repeat match goal with
    | H : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in H; subst
    | H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H; subst
    | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H; subst
    | H : func_eqb _ _ = true |- _ => apply func_eqb_ok in H; subst
    end;
    repeat match goal with I : forall t, same ?s t = true -> ?s = t, H : same ?s _ = true |- _ => apply I in H; subst end;
    reflexivity.
Qed.

(* hyperbolic functions in exponentials *)
Definition minus (a : formula) : formula := Mul (Num (-1) 1) a.
Definition raised (a : formula) : formula := Fun Exp a.

Fixpoint prepared (t : formula) : formula :=
  match t with
  | Add a b => Add (prepared a) (prepared b)
  | Mul a b => Mul (prepared a) (prepared b)
  | Pow a k => Pow (prepared a) k
  | Root a k => Root (prepared a) k
  | Exponential a b => Exponential (prepared a) (prepared b)
  | Fun f a =>
      let u := prepared a in
      match f with
      | Sinh => Mul (Num 1 2) (Add (raised u) (minus (raised (minus u))))
      | Cosh => Mul (Num 1 2) (Add (raised u) (raised (minus u)))
      | Tanh =>
          let twice := raised (Mul (Num 2 1) u) in
          Mul (Add twice (Num (-1) 1)) (Pow (Add twice (Num 1 1)) (-1))
      | _ => Fun f u
      end
  | _ => t
  end.

Lemma exp_minus x : exp (-1 * x) = / exp x.
Proof. replace (-1 * x) with (- x) by ring. apply exp_Ropp. Qed.

Lemma exp_two x : exp (2 * x) = exp x * exp x.
Proof. replace (2 * x) with (x + x) by ring. apply exp_plus. Qed.

Lemma prepared_ok e t : ev e (prepared t) = ev e t.
Proof.
  induction t; simpl; try congruence.
  destruct f; simpl; rewrite ?IHt; try reflexivity; unfold tanh, sinh, cosh; rewrite ?exp_minus, ?exp_two, ?exp_Ropp;
    assert (P := exp_pos (ev e t)); unfold number.
  - field. lra.
  - field. lra.
  - field. repeat split; nra.
Qed.

(* relations *)
Inductive rel := Eq0 | Ne0 | Gt0 | Ge0.
Definition compare (r : rel) (x y : R) : Prop :=
  match r with Eq0 => x = y | Ne0 => x <> y | Gt0 => y < x | Ge0 => y <= x end.
Definition relation := (rel * formula * formula)%type.
Definition valid (e : list R) (s : relation) : Prop := let '(r, a, b) := s in compare r (ev e a) (ev e b).
Fixpoint all_valid (e : list R) (l : list relation) : Prop :=
  match l with [] => True | s :: l => valid e s /\ all_valid e l end.

Definition rel_eqb (r s : rel) : bool :=
  match r, s with Eq0, Eq0 | Ne0, Ne0 | Gt0, Gt0 | Ge0, Ge0 => true | _, _ => false end.
(* which relations to zero follow from one *)
Definition implies (r s : rel) : bool :=
  match r, s with
  | Gt0, (Gt0 | Ge0 | Ne0) | Ge0, Ge0 | Ne0, Ne0 | Eq0, (Eq0 | Ge0) => true
  | _, _ => false
  end.

Lemma implies_ok r s x y : implies r s = true -> compare r x y -> compare s x y.
Proof. destruct r, s; simpl; intros H; try discriminate H; intros; lra. Qed.

Definition prepare (s : relation) : relation := let '(r, a, b) := s in (r, prepared a, prepared b).

Lemma prepare_ok e l : all_valid e l -> all_valid e (map prepare l).
Proof.
  induction l as [|[[r a] b] l IH]; simpl; [trivial|]. intros [H K]. split; [|apply IH; exact K].
  rewrite !prepared_ok. exact H.
Qed.

Lemma in_valid e l s : all_valid e l -> In s l -> valid e s.
Proof. induction l as [|s' l IH]; simpl; [tauto|]. intros [H K] [<-|I]; [exact H | apply IH; assumption]. Qed.
